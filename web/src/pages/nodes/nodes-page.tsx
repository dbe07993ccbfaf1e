import type { Node } from '@lodge/shared/nodes.ts'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Plus from 'lucide-react/icons/plus'
import { useMemo } from 'react'
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
import { rich } from '../../ui/page/rich.ts'
import { type Capacity, capacitiesOf } from './capacity.ts'
import { CapacityCell } from './capacity-bar.tsx'
import { checkName, groupsOf } from './check-groups.ts'
import styles from './nodes.module.css'
import { t } from './words.ts'

/** Why a node is not simply online. */
function Reason({ node }: { node: Node }) {
  const [broken, ...more] = node.state === 'enrolling' ? [] : groupsOf(node).broken
  const seenAt = node.lastSeenAt
  if (node.state === 'offline')
    return (
      <small className={styles.why}>
        {seenAt === null ? t.neverConnected : rich(t.lastSeen({ when: () => <Ago at={seenAt} /> }))}
      </small>
    )
  if (broken)
    return (
      <small className={styles.why} data-broken>
        {more.length === 0
          ? t.checkFails({ check: checkName(broken.id) })
          : t.checksFail({ check: checkName(broken.id), count: more.length })}
      </small>
    )
  if (node.cordoned) return <small className={styles.why}>{t.noNewServers}</small>
  return null
}

const capacityColumn = (header: string, field: Capacity['field']): Column<Node> => ({
  header,
  cell: (node) => {
    const capacity = capacitiesOf(node).find((one) => one.field === field)
    return capacity ? <CapacityCell capacity={capacity} /> : null
  },
})

const columnsOf = (): readonly Column<Node>[] => [
  {
    header: t.name,
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
    header: t.state,
    cell: (node) => (
      <div className={styles.state}>
        <NodePill state={node.state} />
        <Reason node={node} />
      </div>
    ),
  },
  capacityColumn(t.memory, 'memoryMb'),
  { ...capacityColumn(t.cpu, 'cpuPercent'), secondary: true },
  capacityColumn(t.disk, 'diskMb'),
  { header: t.servers, right: true, cell: (node) => node.allocated.servers },
  {
    header: t.agent,
    right: true,
    secondary: true,
    cell: ({ agentVersion }) =>
      agentVersion === null ? <Text faint>{t.noAgent}</Text> : <Text mono>{agentVersion}</Text>,
  },
]

/** Every node with its capacity, what of it is allocated and what is used. */
export default function NodesPage() {
  const may = useMay()
  const columns = useMemo(columnsOf, [])
  const nodes = useQuery(q('GET /api/nodes', { query: { limit: 100 } }))
  const add = may('nodes.manage') ? (
    <LinkButton to={paths.newNode} kind="primary" icon={<Plus />}>
      {t.addNode}
    </LinkButton>
  ) : undefined
  return (
    <Page title={t.nodes} actions={add} lead={t.lead}>
      <Card flush>
        <Loaded query={nodes}>
          {({ items }) => (
            <Table
              label={t.nodes}
              rows={items}
              columns={columns}
              keyOf={(node) => node.id}
              empty={
                <Empty title={t.noNodes} art="nodes" action={add}>
                  {t.noNodesText}
                </Empty>
              }
            />
          )}
        </Loaded>
      </Card>
    </Page>
  )
}
