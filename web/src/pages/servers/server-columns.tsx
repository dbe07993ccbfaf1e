import type { ServerSort } from '@lodge/shared/lists/servers.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { formatCpu } from '@lodge/shared/units.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import type { Actor } from '../../session/session.ts'
import type { Column } from '../../ui/data/column.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { Meter } from '../../ui/data/meter.tsx'
import { formatBytes, formatMib } from '../../ui/data/numbers.ts'
import { observedWord, Pill, ServerPill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Unknown } from '../../ui/data/unknown.tsx'
import { ServerIcon } from '../../ui/icons/template-icon.tsx'
import { Stale } from '../../ui/notices/states.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { RestoreButton } from './restore-button.tsx'
import { RowPower } from './row-power.tsx'
import styles from './servers.module.css'
import { addressOf, cpuUse, diskUse, memoryUse, type Use } from './usage.ts'
import { t } from './words.ts'

/** Columns whose sort order the API supports. */
type ServerColumn = Column<Server> & { readonly sort?: ServerSort }

/**
 * A figure with its limit, and a bar below; no bar while it is unknown, since that would look like
 * zero.
 */
function UseCell({ use, write }: { use: Use; write: (value: number) => string }) {
  const words = use.note === undefined ? t.useOf : t.useOfOnNode
  const value =
    use.value === null ? (
      <Unknown why={t.notMeasured} />
    ) : (
      <span className={styles.value}>{write(use.value)}</span>
    )
  return (
    <div className={styles.use} title={use.note}>
      <span>{rich(words({ use: () => value, limit: write(use.of) }))}</span>
      {use.value === null ? null : <Meter {...use} compact bare />}
    </div>
  )
}

interface Viewer {
  readonly me: Actor
  readonly withOwner?: boolean
}

/** The template, and the owner where that is not obvious: shared servers of customers. */
function under(server: Server, { withOwner, me }: Viewer): string {
  const words = { template: server.templateName, owner: server.ownerEmail }
  if (withOwner) return t.templateOwner(words)
  const own = me.role === 'admin' || server.ownerId === me.id
  return own ? words.template : t.templateSharedBy(words)
}

const name = (viewer: Viewer): ServerColumn => ({
  id: 'name',
  header: t.name,
  role: 'title',
  sort: 'name',
  cell: (server) => (
    <Row gap={10} nowrap>
      <ServerIcon server={server} />
      <div className={`${styles.name} ${styles.narrow}`}>
        <Link to={paths.server} params={{ id: server.id }} title={server.name} data-opens>
          {server.name}
        </Link>
        <small title={under(server, viewer)}>{under(server, viewer)}</small>
      </div>
    </Row>
  ),
})

const state = (): ServerColumn => ({
  id: 'state',
  header: t.state,
  card: 'head',
  tight: true,
  sort: 'state',
  cell: ({ status, deleteAt, nodeOnline, observedAt, observedState }) => (
    <Stack gap={3}>
      <span>
        {deleteAt === null ? (
          <ServerPill status={status} />
        ) : (
          <Pill tone="err">{rich(t.deletedWhen({ when: () => <Ago at={deleteAt} /> }))}</Pill>
        )}
      </span>
      {status === 'unknown' || !nodeOnline ? (
        <Stale at={observedAt} was={observedWord(observedState)} plain />
      ) : null}
    </Stack>
  ),
})

const address = (): ServerColumn => ({
  id: 'address',
  header: t.address,
  card: 'head',
  cell: (server) => {
    const value = addressOf(server)
    return value === null ? (
      <Unknown why={t.noAddress} />
    ) : (
      <Copyable value={value} label={t.copyAddressOf({ server: server.name })} />
    )
  },
})

const node = (): ServerColumn => ({
  id: 'node',
  header: t.node,
  card: 'none',
  secondary: true,
  sort: 'node',
  cell: (server) => (
    <div className={`${styles.name} ${styles.place}`}>
      {server.nodeName}
      <small>{server.location}</small>
    </div>
  ),
})

const figure = (
  id: 'cpu' | 'memory' | 'disk',
  header: string,
  use: (server: Server) => Use,
  write: (value: number, server: Server) => string,
): ServerColumn => ({
  id,
  header,
  sort: id,
  card: 'foot',
  highestFirst: true,
  right: true,
  secondary: true,
  cell: (server) => <UseCell use={use(server)} write={(value) => write(value, server)} />,
})

const figures = (): readonly ServerColumn[] => [
  figure('cpu', t.cpu, cpuUse, formatCpu),
  figure('memory', t.memory, memoryUse, formatBytes),
  { ...figure('disk', t.disk, diskUse, formatBytes), optional: true },
]

const details = (): readonly ServerColumn[] => [
  {
    id: 'template',
    header: t.template,
    sort: 'template',
    optional: true,
    cell: (server) => <Text clip>{server.templateName}</Text>,
  },
  {
    id: 'owner',
    header: t.owner,
    sort: 'owner',
    optional: true,
    cell: (server) => (
      <Text clip title={server.ownerEmail}>
        {server.ownerEmail}
      </Text>
    ),
  },
  {
    id: 'tags',
    header: t.tags,
    optional: true,
    cell: ({ tags }) => <Text clip>{tags.join(', ')}</Text>,
  },
  {
    id: 'size',
    header: t.size,
    optional: true,
    right: true,
    cell: ({ cpuPercent, memoryMb, diskMb }) =>
      t.sizeOf({
        cpu: formatCpu(cpuPercent),
        memory: formatMib(memoryMb),
        disk: formatMib(diskMb),
      }),
  },
  {
    id: 'created',
    header: t.created,
    sort: 'created',
    highestFirst: true,
    optional: true,
    tight: true,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
]

const power = ({ me }: Viewer): ServerColumn => ({
  header: t.power,
  role: 'acts',
  cell: (server) =>
    server.deleteAt !== null && me.role === 'customer' && server.ownerId === me.id ? (
      <RestoreButton server={server} />
    ) : (
      <RowPower server={server} me={me} />
    ),
})

/** Every column that a list of servers offers. */
export const allServerColumns = (viewer: Viewer): readonly ServerColumn[] => [
  name(viewer),
  state(),
  ...figures(),
  address(),
  node(),
  ...details(),
  power(viewer),
]
