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
import tones from '../../ui/page/tone.module.css'
import styles from './overview.module.css'

const HIDDEN = 'lodge.first-steps.hidden'

/** The checklist of a new installation; disappears when completed or dismissed. */
export function FirstSteps({ overview }: { overview: Reply<'GET /api/overview'> }) {
  const [hidden, setHidden] = useState(() => localStorage.getItem(HIDDEN) !== null)
  const templates = useQuery({
    ...q('GET /api/templates', { query: { limit: 1 } }),
    enabled: !hidden,
  })
  const steps = [
    {
      done: overview.nodes.total > 0,
      to: paths.newNode,
      title: 'Add a node',
      text: 'A machine that runs servers',
    },
    {
      done: (templates.data?.items.length ?? 0) > 0,
      to: paths.newTemplate,
      title: 'Have a template',
      text: 'What a server runs',
    },
    {
      done: overview.servers.total > 0,
      to: paths.newServer,
      title: 'Create a server',
      text: 'The first one takes a minute',
    },
    {
      done: overview.customers > 0,
      to: paths.newCustomer,
      title: 'Add a customer',
      text: 'Somebody to own servers',
    },
    {
      done: overview.nodes.total > 1,
      to: paths.newNode,
      title: 'Add a second node',
      text: 'So that one may fail',
    },
  ] as const
  if (hidden || steps.every((step) => step.done)) return null
  const dismiss = (): void => {
    localStorage.setItem(HIDDEN, '1')
    setHidden(true)
  }
  return (
    <Card
      title="First steps"
      actions={
        <Button size="small" kind="quiet" onClick={dismiss}>
          Dismiss
        </Button>
      }
    >
      <ul className={styles.steps}>
        {steps.map(({ done, to, title, text }) => (
          <li key={title}>
            <Link to={to} className={`${styles.step} ${done ? tones.ok : tones.idle}`}>
              {done ? <CircleCheck aria-hidden /> : <Circle aria-hidden />}
              <span>
                {title}
                <Hidden>{done ? ' (done)' : ' (open)'}</Hidden>
                <small>{text}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
