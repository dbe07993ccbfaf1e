import type { Server } from '@lodge/shared/servers.ts'
import { Link } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { Copyable } from '../../ui/copy.tsx'
import { Column as Stack, Text } from '../../ui/layout.tsx'
import { Meter } from '../../ui/meter.tsx'
import { Stale } from '../../ui/states.tsx'
import { ServerPill } from '../../ui/status.tsx'
import type { Column } from '../../ui/table.tsx'
import { RowPower } from './power-buttons.tsx'
import styles from './servers.module.css'
import { addressOf, cpuUse, memoryUse, type Use } from './usage.ts'

function UseCell({ use }: { use: Use }) {
  return (
    <div className={styles.use}>
      {use.text}
      <Meter {...use} compact bare />
    </div>
  )
}

const name = (withOwner: boolean): Column<Server> => ({
  header: 'Name',
  role: 'title',
  cell: (server) => (
    <div className={styles.name}>
      <Link to={paths.server} params={{ id: server.id }}>
        {server.name}
      </Link>
      <small>
        {server.templateName}
        {withOwner ? ` · ${server.ownerEmail}` : ''}
      </small>
    </div>
  ),
})

const STATE: Column<Server> = {
  header: 'State',
  tight: true,
  cell: (server) => (
    <Stack gap={3}>
      <span>
        <ServerPill status={server.status} />
      </span>
      {server.nodeOnline ? null : <Stale at={server.observedAt} node={server.nodeName} />}
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

const POWER: Column<Server> = {
  header: 'Power',
  role: 'acts',
  cell: (server) => <RowPower server={server} />,
}

/** Columns of a list of servers; owners are shown to administrators only. */
export function serverColumns({ withOwner }: { withOwner: boolean }): readonly Column<Server>[] {
  return [name(withOwner), STATE, ...FIGURES, ADDRESS, POWER]
}
