import type { Node } from '@lodge/shared/nodes.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { NodePill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import { capacitiesOf } from './capacity.ts'
import { CapacityCell } from './capacity-bar.tsx'
import { checkName, groupsOf } from './check-groups.ts'
import styles from './nodes.module.css'

/** Why a node is not simply online. */
function Reason({ node }: { node: Node }) {
  const [broken, ...more] = node.state === 'enrolling' ? [] : groupsOf(node).broken
  if (node.state === 'offline')
    return node.lastSeenAt === null ? (
      <small className={styles.why}>Never connected</small>
    ) : (
      <small className={styles.why}>
        Last seen <Ago at={node.lastSeenAt} />
      </small>
    )
  if (broken)
    return (
      <small className={styles.why} data-broken>
        {more.length === 0
          ? `${checkName(broken.id)} fails`
          : `${checkName(broken.id)} and ${more.length} more fail`}
      </small>
    )
  if (node.cordoned) return <small className={styles.why}>Takes no new servers</small>
  return null
}

const COLUMNS: readonly Column<Node>[] = [
  {
    header: 'Name',
    role: 'title',
    cell: (node) => (
      <div className={styles.name}>
        <Link to={paths.node} params={{ id: node.id }}>
          {node.name}
        </Link>
        <small>{node.location}</small>
      </div>
    ),
  },
  {
    header: 'State',
    cell: (node) => (
      <div className={styles.state}>
        <NodePill state={node.state} />
        <Reason node={node} />
      </div>
    ),
  },
  ...(['Memory', 'CPU', 'Disk'] as const).map(
    (header): Column<Node> => ({
      header,
      secondary: header === 'CPU',
      cell: (node) => {
        const capacity = capacitiesOf(node).find(({ label }) => label === header)
        return capacity ? <CapacityCell capacity={capacity} /> : null
      },
    }),
  ),
  { header: 'Servers', right: true, cell: (node) => node.allocated.servers },
  {
    header: 'Agent',
    right: true,
    secondary: true,
    cell: ({ agentVersion }) =>
      agentVersion === null ? <Text faint>None yet</Text> : <Text mono>{agentVersion}</Text>,
  },
]

/** Every node with its capacity, what of it is allocated and what is used. */
export default function NodesPage() {
  const may = useMay()
  const nodes = useQuery(q('GET /api/nodes', { query: { limit: 100 } }))
  const add = may('nodes.manage') ? (
    <LinkButton to={paths.newNode} kind="primary" icon={<Plus />}>
      Add node
    </LinkButton>
  ) : undefined
  return (
    <Page
      title="Nodes"
      actions={add}
      lead="The machines that run servers. In a bar, the upper lane is what is used now, the lower one what is allocated to servers."
    >
      <Card flush>
        <Loaded query={nodes}>
          {({ items }) => (
            <Table
              label="Nodes"
              rows={items}
              columns={COLUMNS}
              keyOf={(node) => node.id}
              empty={
                <Empty title="No nodes yet" art="nodes" action={add}>
                  A node is a machine that runs servers. It joins with one command that you paste on
                  it.
                </Empty>
              }
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}
