import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Circle from 'lucide-react/icons/circle'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useState } from 'react'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Hidden } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import tones from '../../ui/page/tone.module.css'
import styles from './overview.module.css'
import { t } from './words.ts'

const HIDDEN = 'lodge.first-steps.hidden'
const hidden = (text: string) => <Hidden>{text}</Hidden>

/** The checklist of a new installation; disappears when completed or dismissed. */
export function FirstSteps({ overview }: { overview: Reply<'GET /api/overview'> }) {
  const [dismissed, setDismissed] = useState(() => localStorage.getItem(HIDDEN) !== null)
  const templates = useQuery({
    ...q('GET /api/templates', { query: { limit: 1 } }),
    enabled: !dismissed,
  })
  const steps = [
    {
      done: overview.nodes.total > 0,
      to: paths.newNode,
      title: t.addNode,
      text: t.addNodeText,
    },
    {
      done: (templates.data?.items.length ?? 0) > 0,
      to: paths.newTemplate,
      title: t.addTemplate,
      text: t.addTemplateText,
    },
    {
      done: overview.servers.total > 0,
      to: paths.newServer,
      title: t.createServer,
      text: t.createServerText,
    },
    {
      done: overview.customers > 0,
      to: paths.newCustomer,
      title: t.addCustomer,
      text: t.addCustomerText,
    },
    {
      done: overview.nodes.total > 1,
      to: paths.newNode,
      title: t.addSecondNode,
      text: t.addSecondNodeText,
    },
  ] as const
  if (dismissed || steps.every((step) => step.done)) return null
  const dismiss = (): void => {
    localStorage.setItem(HIDDEN, '1')
    setDismissed(true)
  }
  return (
    <Card
      title={t.firstSteps}
      actions={
        <Button size="small" kind="quiet" onClick={dismiss}>
          {t.dismiss}
        </Button>
      }
    >
      <ul className={styles.steps}>
        {steps.map(({ done, to, title, text }) => (
          <li key={title}>
            <Link to={to} className={`${styles.step} ${done ? tones.ok : tones.idle}`}>
              {done ? <CircleCheck aria-hidden /> : <Circle aria-hidden />}
              <span>
                {rich((done ? t.stepDone : t.stepOpen)({ step: title, hidden }))}
                <small>{text}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
