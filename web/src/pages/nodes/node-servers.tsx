import { writeFilter } from '@lodge/shared/lists/filter.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Table } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { serverColumns } from '../servers/server-columns.tsx'
import { t } from './words.ts'

/** The node is known here, and its CPU is on the page of metrics. */
const columnsOnNode = () =>
  serverColumns({ withOwner: true }).filter(({ sort }) => sort !== 'cpu' && sort !== 'node')

/** The servers of a node. */
export function NodeServers({ node }: { node: Node }) {
  const columns = useMemo(columnsOnNode, [])
  const servers = useQuery(q('GET /api/servers', { query: { nodeId: node.id, limit: 25 } }))
  return (
    <Card
      title={t.serverCount({ count: node.allocated.servers })}
      flush
      actions={
        <LinkButton
          to={paths.servers}
          search={{ q: writeFilter([{ field: 'node', values: [node.name] }]) }}
          size="small"
          kind="quiet"
        >
          {t.showAll}
        </LinkButton>
      }
    >
      <Loaded query={servers}>
        {({ items }) => (
          <Table
            label={t.serversOn({ node: node.name })}
            rows={items}
            columns={columns}
            keyOf={(server) => server.id}
            empty={
              <Empty title={t.noServers} art="servers">
                {node.cordoned ? t.noServersCordoned : t.noServersText}
              </Empty>
            }
          />
        )}
      </Loaded>
    </Card>
  )
}
