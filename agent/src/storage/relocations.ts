import type { Relocation } from '@lodge/driver/capabilities/relocation.ts'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import type { BackupWork } from '@lodge/shared/backup-work.ts'
import { Locks } from '../backups/locks.ts'
import type { AnyDriver } from '../drivers.ts'
import type { Servers } from '../reconcile/servers.ts'
import type { StorageHolds } from './holds.ts'

type Of<Name extends BackupWork['do']> = Omit<Extract<BackupWork, { do: Name }>, 'do'>

/** Changes the storage of servers on this node. Every piece of work can be repeated. */
export interface Relocations {
  copy(
    serverId: string,
    work: Of<'copy-to-storage'>,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
  change(serverId: string, work: Of<'change-storage'>): Promise<void>
  drop(serverId: string, work: Of<'drop-copy'>): Promise<void>
}

export function relocationsOf(parts: {
  readonly driver: AnyDriver
  readonly machines: AnyDriver
  readonly driverOf: (serverId: string) => AnyDriver
  readonly servers: Pick<Servers, 'find'>
  readonly storages: StorageHolds
}): Relocations {
  const { driver, machines, driverOf, servers, storages } = parts
  // In order of arrival: a deletion that comes late never runs beside a new copy, or one that is put in place.
  const turns = new Locks()
  const inTurn = <T>(serverId: string, work: () => Promise<T>) => turns.during(serverId, true, work)
  const work: Relocations = {
    async copy(serverId, { to, placementGeneration }, onProgress, signal) {
      const relocation = able(driverOf(serverId))
      // Whatever an earlier placement left there is not deleted from now on.
      if (to !== null) await storages.takeOn(to, { serverId, placementGeneration })
      await relocation.copy(serverId, to, onProgress, signal)
    },
    change: (serverId, { to }) => able(driverOf(serverId)).place(serverId, to),
    async drop(serverId, { on, placementGeneration, lies, machine }) {
      const relocation = able(machine ? machines : driver)
      requireCurrent(serverId, lies)
      // Of a change that was given up while the node was away.
      if (lies !== undefined) await relocation.place(serverId, lies)
      if (on === null) return await relocation.drop(serverId, null)
      if (!(await storages.mayDeleteFrom(on, { serverId, placementGeneration }))) return
      // The driver looks under its own lock once more that the data do not lie there.
      await relocation.drop(serverId, on)
    },
  }
  /** A request that comes late must not undo a change that has begun since. */
  function requireCurrent(serverId: string, lies: string | null | undefined): void {
    const spec = servers.find(serverId)?.desired?.spec
    if (lies === undefined || !spec || (spec.storage ?? null) === lies) return
    throw new DriverError('not_permitted', 'The server lies elsewhere since.', { retryable: true })
  }
  return {
    copy: (...args) => inTurn(args[0], () => work.copy(...args)),
    change: (...args) => inTurn(args[0], () => work.change(...args)),
    drop: (...args) => inTurn(args[0], () => work.drop(...args)),
  }
}

/** @throws {DriverError} unsupported */
function able({ relocation }: AnyDriver): Relocation {
  if (relocation) return relocation
  throw new DriverError('unsupported', 'This node cannot change the storage of this server.')
}
