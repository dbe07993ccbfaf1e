import type { Node } from '@lodge/shared/nodes.ts'
import { formatMib } from '@lodge/shared/units.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Meter } from '../../ui/data/meter.tsx'
import { NodePill } from '../../ui/data/status.tsx'
import { type Column, Table } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Empty } from '../../ui/notices/states.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { Page } from '../../ui/page/page.tsx'
import styles from '../servers/servers.module.css'
import { capacitiesOf } from './capacity.ts'

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
  { header: 'State', tight: true, cell: (node) => <NodePill state={node.state} /> },
  ...([0, 1, 2] as const).map(
    (index): Column<Node> => ({
      header: ['Memory', 'CPU', 'Disk'][index] ?? '',
      secondary: index === 1,
      cell: (node) => {
        const capacity = capacitiesOf(node)[index]
        const { memoryMb, cpuPercent, diskMb } = node.allocated
        const short = [
          `${formatMib(memoryMb)} of ${formatMib(node.memoryMb)}`,
          `${cpuPercent} of ${node.cpuPercent} %`,
          `${formatMib(diskMb)} of ${formatMib(node.diskMb)}`,
        ][index]
        return capacity ? (
          <div className={styles.use}>
            {short}
            <Meter {...capacity} compact bare />
          </div>
        ) : null
      },
    }),
  ),
  { header: 'Servers', right: true, cell: (node) => node.allocated.servers },
  {
    header: 'Last seen',
    secondary: true,
    cell: (node) => (node.lastSeenAt ? <Ago at={node.lastSeenAt} /> : <Text faint>never</Text>),
  },
]

/** Every node with its capacity and allocation. */
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
      lead="Bars show what is used now in front of what is allocated to servers."
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
                  A node is a machine that runs servers. It joins with one line that you paste on
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
