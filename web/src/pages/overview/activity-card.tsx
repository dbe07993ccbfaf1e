import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Reply } from '../../api.ts'
import { said } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { inRuns } from '../../repeated.ts'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import styles from './overview.module.css'
import { t } from './words.ts'

type Happened = Reply<'GET /api/activity/overview'>['items'][number]

const isSame = (one: Happened, next: Happened): boolean =>
  one.title === next.title && one.serverId === next.serverId && one.nodeId === next.nodeId

/** Recent events of servers and nodes, one line each. */
export function ActivityCard() {
  const activity = useQuery({
    ...q('GET /api/activity/overview', { query: { limit: 12 } }),
    refetchInterval: 15_000,
  })
  return (
    <Card title={t.activity} flush>
      <Loaded query={activity}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t.noActivity} art="story" />
          ) : (
            <ul className={styles.list}>
              {inRuns(items, isSame).map(({ first, all }) => (
                <li key={first.id} className={styles.event}>
                  <Subject of={first} />
                  <span className={styles.what} title={said(first.title)}>
                    {all.length > 1
                      ? t.repeated({ title: said(first.title), count: all.length })
                      : said(first.title)}
                  </span>
                  <Text small muted>
                    <Ago at={first.at} />
                  </Text>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </Card>
  )
}

function Subject({ of: one }: { of: Happened }) {
  if (one.serverId !== null && one.serverName !== null)
    return (
      <Link to={paths.server} params={{ id: one.serverId }} title={one.serverName}>
        {one.serverName}
      </Link>
    )
  // Events without a node, such as backups of the panel, have no prefix.
  if (one.nodeId === null) return null
  return (
    <Link to={paths.node} params={{ id: one.nodeId }} title={one.nodeName ?? ''}>
      {one.nodeName}
    </Link>
  )
}
