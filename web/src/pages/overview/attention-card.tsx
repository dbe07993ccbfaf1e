import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import Info from 'lucide-react/icons/info'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Hidden } from '../../ui/page/layout.tsx'
import tones from '../../ui/page/tone.module.css'
import styles from './overview.module.css'

type Attention = Reply<'GET /api/overview'>['attention'][number]

const LOOKS = {
  critical: { icon: CircleAlert, tone: tones.err },
  warning: { icon: TriangleAlert, tone: tones.warn },
  notice: { icon: Info, tone: tones.info },
}

function FixLink({ item }: { item: Attention }) {
  if (item.kind === 'job_failed')
    return (
      <LinkButton size="small" to={paths.jobs}>
        Open jobs
      </LinkButton>
    )
  if (item.serverId !== null)
    return (
      <LinkButton size="small" to={paths.server} params={{ id: item.serverId }}>
        Open server
      </LinkButton>
    )
  if (item.nodeId !== null)
    return (
      <LinkButton size="small" to={paths.node} params={{ id: item.nodeId }}>
        Open node
      </LinkButton>
    )
  return null
}

/** Problems that need attention, worst first, each with a link to its fix. */
export function AttentionCard({ items }: { items: readonly Attention[] }) {
  return (
    <Card title="Needs attention" flush>
      {items.length === 0 ? (
        <Empty title="All clear" icon={<CircleCheck aria-hidden />}>
          No node is offline, no job has failed and no server stays down.
        </Empty>
      ) : (
        <ul className={styles.list}>
          {items.map((item) => {
            const { icon: Icon, tone } = LOOKS[item.severity]
            return (
              <li
                key={`${item.kind} ${item.nodeId} ${item.serverId} ${item.jobId} ${item.title}`}
                className={`${styles.item} ${tone}`}
              >
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
                <FixLink item={item} />
              </li>
            )
          })}
        </ul>
      )}
    </Card>
  )
}
