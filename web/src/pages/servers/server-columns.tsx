import type { Server } from '@lodge/shared/servers.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { Copyable } from '../../ui/data/copy.tsx'
import { Meter } from '../../ui/data/meter.tsx'
import { Pill, ServerPill } from '../../ui/data/status.tsx'
import type { Column } from '../../ui/data/table.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { ServerIcon } from '../../ui/icons/template-icon.tsx'
import { Stale } from '../../ui/notices/states.tsx'
import { Row, Column as Stack, Text } from '../../ui/page/layout.tsx'
import { RowPower } from './power-buttons.tsx'
import { RestoreButton } from './restore-button.tsx'
import styles from './servers.module.css'
import { addressOf, cpuUse, memoryUse, type Use } from './usage.ts'

function UseCell({ use }: { use: Use }) {
  return (
    <div className={styles.use} title={use.note}>
      {use.note === undefined ? use.text : `${use.text}, on the node`}
      <Meter {...use} compact bare />
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

const name = (viewer: Viewer): Column<Server> => ({
  header: 'Name',
  role: 'title',
  cell: (server) => (
    <Row gap={10} nowrap>
      <ServerIcon server={server} />
      <div className={`${styles.name} ${styles.narrow}`}>
        <Link to={paths.server} params={{ id: server.id }} title={server.name}>
          {server.name}
        </Link>
        <small>
          {server.templateName}
          {ownerWords(server, viewer)}
        </small>
      </div>
    </Row>
  ),
})

const STATE: Column<Server> = {
  header: 'State',
  tight: true,
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

const ADDRESS: Column<Server> = {
  header: 'Address',
  cell: (server) => {
    const address = addressOf(server)
    return (
      <div className={styles.name}>
        {address === null ? (
          <Text faint>none</Text>
        ) : (
          <Copyable value={address} label={`Copy the address of ${server.name}`} />
        )}
        <small>
          {server.nodeName} · {server.location}
        </small>
      </div>
    )
  },
}

const FIGURES: readonly Column<Server>[] = [
  { header: 'CPU', secondary: true, cell: (server) => <UseCell use={cpuUse(server)} /> },
  { header: 'Memory', secondary: true, cell: (server) => <UseCell use={memoryUse(server)} /> },
]

const power = (viewer: Viewer): Column<Server> => ({
  header: 'Power',
  role: 'acts',
  cell: (server) =>
    server.deleteAt !== null && server.ownerId === viewer.customerId ? (
      <RestoreButton server={server} />
    ) : (
      <RowPower server={server} />
    ),
})

/** Columns of a server list; administrators see owners, customers see who shares a server with them. */
export const serverColumns = (viewer: Viewer): readonly Column<Server>[] => [
  name(viewer),
  STATE,
  ...FIGURES,
  ADDRESS,
  power(viewer),
]
