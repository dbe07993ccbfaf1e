import type { Node } from '@lodge/shared/nodes.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data/column.ts'
import { NodePill, nodeWord } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import type { RowTools } from '../../ui/lists/short-list.tsx'
import { Column as Stack, Text } from '../../ui/page/layout.tsx'
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
  if (node.cordon?.because === 'failover')
    return <small className={styles.why}>{t.noNewServersLost}</small>
  if (node.cordoned) return <small className={styles.why}>{t.noNewServers}</small>
  return null
}

const IDS = { memoryMb: 'memory', cpuPercent: 'cpu', diskMb: 'disk' } as const

const capacityColumn = (header: string, field: Capacity['field']): Column<Node> => ({
  id: IDS[field],
  header,
  sort: IDS[field],
  highestFirst: true,
  cell: (node) => {
    const capacity = capacitiesOf(node).find((one) => one.field === field)
    return capacity ? <CapacityCell capacity={capacity} /> : null
  },
})

/** Every column that the list of nodes offers. */
export const nodeColumns = (): readonly Column<Node>[] => [
  {
    id: 'name',
    header: t.name,
    role: 'title',
    sort: 'name',
    cell: (node) => (
      <div className={styles.name}>
        <Link to={paths.node} params={{ id: node.id }} data-opens>
          {node.name}
        </Link>
        <small>{node.location}</small>
      </div>
    ),
  },
  {
    id: 'state',
    header: t.state,
    card: 'head',
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
  {
    id: 'servers',
    header: t.servers,
    card: 'foot',
    sort: 'servers',
    highestFirst: true,
    right: true,
    cell: (node) => node.allocated.servers,
  },
  {
    id: 'agent',
    header: t.agent,
    card: 'foot',
    sort: 'agent',
    right: true,
    secondary: true,
    cell: ({ agentVersion, agentOutdated }) =>
      agentVersion === null ? (
        <Text faint>{t.noAgent}</Text>
      ) : (
        <Stack gap={2}>
          <Text mono>{agentVersion}</Text>
          {agentOutdated ? <small className={styles.why}>{t.updateAvailable}</small> : null}
        </Stack>
      ),
  },
  {
    id: 'address',
    header: t.address,
    optional: true,
    cell: ({ address }) => <Text mono>{address ?? t.none}</Text>,
  },
  {
    id: 'seen',
    header: t.seen,
    sort: 'seen',
    highestFirst: true,
    right: true,
    tight: true,
    optional: true,
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? t.neverConnected : <Ago at={lastSeenAt} />),
  },
]

/** How much of a resource is used now, as a share of the machine; null when unknown. */
const shareUsed = (node: Node, field: Capacity['field']): number | null => {
  const { used, physical } = capacitiesOf(node).find((one) => one.field === field) ?? {}
  return typeof used === 'number' && physical ? used / physical : null
}

const STATES: readonly Node['state'][] = ['online', 'offline', 'cordoned', 'enrolling']

/** How nodes are filtered, sorted and exported. */
export const nodeTools = (): RowTools<Node> => ({
  fields: [
    {
      name: 'state',
      label: t.state,
      chips: true,
      values: STATES.map((value) => ({ value, label: nodeWord(value) })),
      of: ({ state }) => state,
    },
    {
      name: 'location',
      label: t.location,
      example: 'location:fra*',
      of: ({ location }) => location,
    },
    { name: 'name', label: t.name, example: 'name:web*', of: ({ name }) => name },
  ],
  textOf: ({ name, location, address }) => `${name}\n${location}\n${address ?? ''}`,
  sortKeys: {
    name: ({ name }) => name,
    memory: (node) => shareUsed(node, 'memoryMb'),
    cpu: (node) => shareUsed(node, 'cpuPercent'),
    disk: (node) => shareUsed(node, 'diskMb'),
    servers: ({ allocated }) => allocated.servers,
    agent: ({ agentVersion }) => agentVersion,
    seen: ({ lastSeenAt }) => lastSeenAt,
  },
  csv: [
    ['id', ({ id }) => id],
    ['name', ({ name }) => name],
    ['location', ({ location }) => location],
    ['address', ({ address }) => address],
    ['state', ({ state }) => state],
    ['servers', ({ allocated }) => allocated.servers],
    ['memory_mb', ({ memoryMb }) => memoryMb],
    ['memory_allocated_mb', ({ allocated }) => allocated.memoryMb],
    ['memory_used_bytes', ({ usage }) => usage?.memoryUsedBytes ?? null],
    ['cpu_percent', ({ cpuPercent }) => cpuPercent],
    ['cpu_allocated_percent', ({ allocated }) => allocated.cpuPercent],
    ['cpu_used_percent', ({ usage }) => usage?.cpuPercent ?? null],
    ['disk_mb', ({ diskMb }) => diskMb],
    ['disk_allocated_mb', ({ allocated }) => allocated.diskMb],
    ['disk_used_bytes', ({ usage }) => usage?.diskUsedBytes ?? null],
    ['agent_version', ({ agentVersion }) => agentVersion],
    ['agent_outdated', ({ agentOutdated }) => (agentOutdated ? 'true' : 'false')],
    ['last_seen_at', ({ lastSeenAt }) => lastSeenAt],
  ],
})
