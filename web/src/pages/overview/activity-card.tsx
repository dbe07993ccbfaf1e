import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { inRuns } from '../../repeated.ts'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import styles from './overview.module.css'

type Happened = Reply<'GET /api/activity/overview'>['items'][number]

const isSame = (one: Happened, next: Happened): boolean =>
  one.title === next.title && one.serverId === next.serverId && one.nodeId === next.nodeId

/** Recent events of servers and nodes. */
export function ActivityCard() {
  const activity = useQuery({
    ...q('GET /api/activity/overview', { query: { limit: 10 } }),
    refetchInterval: 15_000,
  })
  return (
    <Card title="Activity" flush>
      <Loaded query={activity}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title="Nothing has happened yet" art="story" />
          ) : (
            <ul className={styles.list}>
              {inRuns(items, isSame).map(({ first: one, all }) => (
                <li key={one.id} className={styles.item}>
                  <span>
                    {one.serverId !== null && one.serverName !== null ? (
                      <Link to={paths.server} params={{ id: one.serverId }}>
                        {one.serverName}
                      </Link>
                    ) : one.nodeId !== null ? (
                      <Link to={paths.node} params={{ id: one.nodeId }}>
                        {one.nodeName}
                      </Link>
                    ) : null}
                    <small>
                      {one.title}
                      {all.length > 1 ? `, ${all.length} times` : ''}
                    </small>
                  </span>
                  <Text small muted>
                    <Ago at={one.at} />
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
