import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { Reply } from '../../api.ts'
import { saidReason } from '../../panel/said.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { entryOf } from '../../ui/data/known.ts'
import { Ago } from '../../ui/data/time.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Hidden, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import tones from '../../ui/page/tone.module.css'
import { fixFor } from './fixes.ts'
import styles from './overview.module.css'
import { saidTitle } from './said-attention.ts'
import { t } from './words.ts'

type Attention = Reply<'GET /api/overview'>['attention'][number]

const LOOKS = {
  critical: { icon: CircleAlert, tone: tones.err, word: () => t.critical },
  warning: { icon: TriangleAlert, tone: tones.warn, word: () => t.warning },
  notice: { icon: Info, tone: tones.info, word: () => t.notice },
}

const strong = (text: string) => <b>{text}</b>
const hidden = (text: string) => <Hidden>{text}</Hidden>

interface AttentionCardProps {
  items: readonly Attention[]
  checkedAt: string
}

/** Problems that need attention, worst first, each with a link to its fix. */
export function AttentionCard({ items, checkedAt }: AttentionCardProps) {
  const when = () => <Ago at={checkedAt} />
  if (items.length === 0)
    return (
      <section className={`${styles.clear} ${tones.ok}`} aria-label={t.needsAttention}>
        <CircleCheck aria-hidden />
        <span>{rich(t.allClear({ b: strong, when }))}</span>
      </section>
    )
  return (
    <Card
      title={t.needsAttention}
      flush
      actions={
        <Text small muted>
          {rich(t.checked({ when }))}
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
  const { icon: Icon, tone, word } = entryOf(LOOKS, item.severity, () => LOOKS.notice)
  const title = saidTitle(item)
  const detail = saidReason(item.detail)
  const { since } = item
  return (
    <li className={`${styles.item} ${tone}`}>
      <div>
        <Icon aria-hidden />
        <span>
          {rich(t.problem({ severity: word(), title, hidden, b: strong }))}
          <small>
            {since === null
              ? detail
              : rich(t.problemSince({ detail, since: () => <Ago at={since} /> }))}
          </small>
        </span>
      </div>
      <LinkButton size="small" to={item.href}>
        {rich(t.mend({ fix: fixFor(item.kind), title, hidden }))}
      </LinkButton>
    </li>
  )
}
