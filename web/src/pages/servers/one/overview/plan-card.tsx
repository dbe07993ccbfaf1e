import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { q } from '../../../../query.ts'
import { Card } from '../../../../ui/page/card.tsx'
import { Text } from '../../../../ui/page/layout.tsx'
import { capitalised, limitName, usedWords, valueWords } from '../../../limits/limit-words.ts'
import styles from './overview.module.css'
import { t } from './words.ts'

/** What the plan of a server includes, and how much of it is in use; nothing for a server without a plan. */
export function PlanCard({ server }: { server: Server }) {
  const params = { id: server.id }
  const plan = useQuery(q('GET /api/servers/{id}/plan', { params }))
  if (!plan.data?.plan) return null
  const { plan: name, limits } = plan.data
  return (
    <Card title={t.planNamed({ plan: name })}>
      {limits.length === 0 ? (
        <Text muted>{t.planWithoutLimits}</Text>
      ) : (
        <dl className={styles.facts}>
          {limits.map(({ key, value, used }) => (
            <Fragment key={key}>
              <dt>{limitName(key)}</dt>
              <dd>
                {typeof value === 'number' && used !== null
                  ? t.usedOfPlan({ used: usedWords(key, used), value: valueWords(key, value) })
                  : capitalised(valueWords(key, value))}
              </dd>
            </Fragment>
          ))}
        </dl>
      )}
    </Card>
  )
}
