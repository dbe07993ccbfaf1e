import { writeFilter } from '@lodge/shared/lists/filter.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import { useQuery } from '@tanstack/react-query'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Table } from '../../ui/data/table.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { serverColumns } from '../servers/server-columns.tsx'

const COLUMNS = serverColumns({ withOwner: true }).filter(
  ({ header }) => !['CPU', 'Node'].includes(header),
)

/** The servers of a node. */
export function NodeServers({ node }: { node: Node }) {
  const servers = useQuery(q('GET /api/servers', { query: { nodeId: node.id, limit: 25 } }))
  return (
    <Card
      title={node.allocated.servers === 1 ? '1 server' : `${node.allocated.servers} servers`}
      flush
      actions={
        <LinkButton
          to={paths.servers}
          search={{ q: writeFilter([{ field: 'node', values: [node.name] }]) }}
          size="small"
          kind="quiet"
        >
          Show all
        </LinkButton>
      }
    >
      <Loaded query={servers}>
        {({ items }) => (
          <Table
            label={`Servers on ${node.name}`}
            rows={items}
            columns={COLUMNS}
            keyOf={(server) => server.id}
            empty={
              <Empty title="No servers on this node" art="servers">
                {node.cordoned
                  ? 'It is cordoned, so no new ones are placed on it.'
                  : 'New servers go to the node with the most free memory.'}
              </Empty>
            }
          />
        )}
      </Loaded>
    </Card>
  )
}
