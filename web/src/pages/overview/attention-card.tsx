import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { Reply } from '../../api.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Hidden, Text } from '../../ui/page/layout.tsx'
import tones from '../../ui/page/tone.module.css'
import { FIXES } from './fixes.ts'
import styles from './overview.module.css'

type Attention = Reply<'GET /api/overview'>['attention'][number]

const LOOKS = {
  critical: { icon: CircleAlert, tone: tones.err },
  warning: { icon: TriangleAlert, tone: tones.warn },
  notice: { icon: Info, tone: tones.info },
}

interface AttentionCardProps {
  items: readonly Attention[]
  checkedAt: string
}

/** Problems that need attention, worst first, each with the button that leads to its fix. */
export function AttentionCard({ items, checkedAt }: AttentionCardProps) {
  if (items.length === 0)
    return (
      <section className={`${styles.clear} ${tones.ok}`} aria-label="Needs attention">
        <CircleCheck aria-hidden />
        <span>
          <b>All clear</b>, checked <Ago at={checkedAt} />
        </span>
      </section>
    )
  return (
    <Card
      title="Needs attention"
      flush
      actions={
        <Text small muted>
          Checked <Ago at={checkedAt} />
        </Text>
      }
    >
      <ul className={styles.list}>
        {items.map((item) => (
          <Line
            key={`${item.kind} ${item.nodeId} ${item.serverId} ${item.jobId} ${item.title}`}
            item={item}
          />
        ))}
      </ul>
    </Card>
  )
}

function Line({ item }: { item: Attention }) {
  const { icon: Icon, tone } = LOOKS[item.severity]
  return (
    <li className={`${styles.item} ${tone}`}>
      <div>
        <Icon aria-hidden />
        <span>
          <Hidden>{item.severity}: </Hidden>
          <b>{item.title}</b>
          <small>
            {item.detail}
            {item.since === null ? null : (
              <>
                {' · '}
                <Ago at={item.since} />
              </>
            )}
          </small>
        </span>
      </div>
      <LinkButton size="small" to={item.href}>
        {FIXES[item.kind]}
        <Hidden>: {item.title}</Hidden>
      </LinkButton>
    </li>
  )
}
