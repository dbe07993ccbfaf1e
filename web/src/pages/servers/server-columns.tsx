import type { ServerSort } from '@lodge/shared/lists/servers.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { formatBytes, formatMib } from '@lodge/shared/units.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import type { Column } from '../../ui/data/column.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { Meter } from '../../ui/data/meter.tsx'
import { Pill, ServerPill } from '../../ui/data/status.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Unknown } from '../../ui/data/unknown.tsx'
import { ServerIcon } from '../../ui/icons/template-icon.tsx'
import { Stale } from '../../ui/notices/states.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { RowPower } from './power-buttons.tsx'
import { RestoreButton } from './restore-button.tsx'
import styles from './servers.module.css'
import { addressOf, cpuUse, diskUse, memoryUse, type Use } from './usage.ts'

/** Columns that order the list by what the server calls so. */
type ServerColumn = Column<Server> & { readonly sort?: ServerSort }

const percent = (value: number): string => `${Math.round(value)}%`

/** A figure beside its limit, and a bar below; no bar while it is unknown, since that looks like zero. */
function UseCell({ use, write }: { use: Use; write: (value: number) => string }) {
  return (
    <div className={styles.use} title={use.note}>
      <span>
        {use.value === null ? (
          <Unknown why="Not measured" />
        ) : (
          <span className={styles.value}>{write(use.value)}</span>
        )}{' '}
        of {write(use.of)}
        {use.note === undefined ? null : ', on the node'}
      </span>
      {use.value === null ? null : <Meter {...use} compact bare />}
    </div>
  )
}

interface Viewer {
  readonly withOwner: boolean
  /** The viewing customer; servers of others are shared with them. */
  readonly customerId?: string
}

function ownerWords(server: Server, { withOwner, customerId }: Viewer): string {
  if (withOwner) return ` · ${server.ownerEmail}`
  const own = customerId === undefined || server.ownerId === customerId
  return own ? '' : ` · shared by ${server.ownerEmail}`
}

const name = (viewer: Viewer): ServerColumn => ({
  header: 'Name',
  role: 'title',
  sort: 'name',
  cell: (server) => (
    <Row gap={10} nowrap>
      <ServerIcon server={server} />
      <div className={`${styles.name} ${styles.narrow}`}>
        <Link to={paths.server} params={{ id: server.id }} title={server.name} data-opens>
          {server.name}
        </Link>
        <small title={`${server.templateName}${ownerWords(server, viewer)}`}>
          {server.templateName}
          {ownerWords(server, viewer)}
        </small>
      </div>
    </Row>
  ),
})

const STATE: ServerColumn = {
  header: 'State',
  tight: true,
  sort: 'state',
  cell: (server) => (
    <Stack gap={3}>
      <span>
        {server.deleteAt === null ? (
          <ServerPill status={server.status} />
        ) : (
          <Pill tone="err">
            Deleted <Ago at={server.deleteAt} />
          </Pill>
        )}
      </span>
      {server.status === 'unknown' || !server.nodeOnline ? (
        <Stale at={server.observedAt} was={server.observedState} />
      ) : null}
    </Stack>
  ),
}

const ADDRESS: ServerColumn = {
  header: 'Address',
  cell: (server) => {
    const address = addressOf(server)
    return address === null ? (
      <Unknown why="No address" />
    ) : (
      <Copyable value={address} label={`Copy the address of ${server.name}`} />
    )
  },
}

const NODE: ServerColumn = {
  header: 'Node',
  secondary: true,
  sort: 'node',
  cell: (server) => (
    <div className={`${styles.name} ${styles.place}`}>
      {server.nodeName}
      <small>{server.location}</small>
    </div>
  ),
}

const figure = (
  header: string,
  sort: ServerSort,
  use: (server: Server) => Use,
  write: (value: number, server: Server) => string,
): ServerColumn => ({
  header,
  sort,
  highestFirst: true,
  right: true,
  secondary: true,
  cell: (server) => <UseCell use={use(server)} write={(value) => write(value, server)} />,
})

const FIGURES: readonly ServerColumn[] = [
  figure('CPU', 'cpu', cpuUse, percent),
  figure('Memory', 'memory', memoryUse, formatBytes),
  { ...figure('Disk', 'disk', diskUse, formatBytes), optional: true },
]

const DETAILS: readonly ServerColumn[] = [
  {
    header: 'Template',
    sort: 'template',
    optional: true,
    cell: (server) => <Text clip>{server.templateName}</Text>,
  },
  {
    header: 'Owner',
    sort: 'owner',
    optional: true,
    cell: (server) => (
      <Text clip title={server.ownerEmail}>
        {server.ownerEmail}
      </Text>
    ),
  },
  {
    header: 'Tags',
    optional: true,
    cell: ({ tags }) => <Text clip>{tags.join(', ')}</Text>,
  },
  {
    header: 'Size',
    optional: true,
    right: true,
    cell: ({ cpuPercent, memoryMb, diskMb }) =>
      `${percent(cpuPercent)} · ${formatMib(memoryMb)} · ${formatMib(diskMb)}`,
  },
  {
    header: 'Created',
    sort: 'created',
    highestFirst: true,
    optional: true,
    tight: true,
    cell: ({ createdAt }) => <Ago at={createdAt} />,
  },
]

const power = (viewer: Viewer): ServerColumn => ({
  header: 'Power',
  role: 'acts',
  cell: (server) =>
    server.deleteAt !== null && server.ownerId === viewer.customerId ? (
      <RestoreButton server={server} />
    ) : (
      <RowPower server={server} />
    ),
})

/** Every column of a list of servers, from which people choose. */
export const allServerColumns = (viewer: Viewer): readonly ServerColumn[] => [
  name(viewer),
  STATE,
  ...FIGURES,
  ADDRESS,
  NODE,
  ...DETAILS,
  power(viewer),
]

/**
 * Columns of a short list of servers on another page; administrators see owners, customers see who
 * shares a server with them.
 */
export const serverColumns = (viewer: Viewer): readonly ServerColumn[] =>
  allServerColumns(viewer).filter(({ optional }) => !optional)
