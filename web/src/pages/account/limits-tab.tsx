import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { LimitTable } from '../limits/limit-table.tsx'
import { t } from './words.ts'

/** The account's limits, their use and their origin. */
export default function LimitsTab() {
  const limits = useQuery(q('GET /api/limits/me'))
  return (
    <Loaded query={limits} lines={8}>
      {(view) =>
        view.enforced ? (
          <>
            {view.overLimit ? (
              <Note tone="warn" title={t.overLimit}>
                {t.overLimitText}
              </Note>
            ) : null}
            {view.grant.required && !view.grant.granted ? (
              <Note tone="info" title={t.planNeeded}>
                {t.planNeededText}
              </Note>
            ) : null}
            <Card title={t.mayOwn} flush>
              <LimitTable view={view} types={['total']} />
            </Card>
            <Card title={t.mayEach} flush>
              <LimitTable view={view} types={['each']} />
            </Card>
            <Card title={t.mayDo} flush>
              <LimitTable view={view} types={['list', 'may']} />
            </Card>
          </>
        ) : (
          <Card title={t.limits}>
            <Text muted>{t.unlimited}</Text>
          </Card>
        )
      }
    </Loaded>
  )
}
