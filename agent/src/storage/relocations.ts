import type { Relocation } from '@lodge/driver/capabilities/relocation.ts'
import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import type { BackupWork } from '@lodge/shared/backup-work.ts'
import { Locks } from '../backups/locks.ts'
import type { AnyDriver } from '../drivers.ts'
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
  readonly storages: StorageHolds
}): Relocations {
  const { driver, machines, driverOf, storages } = parts
  // In order of arrival: a deletion that comes late never runs beside a new copy.
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
      // Of a change that was given up while the node was away.
      if (lies !== undefined) await relocation.place(serverId, lies)
      if (on === null) return await relocation.drop(serverId, null)
      if (!(await storages.mayDeleteFrom(on, { serverId, placementGeneration }))) return
      // The driver looks under its own lock once more that the data do not lie there.
      await relocation.drop(serverId, on)
    },
  }
  return {
    ...work,
    copy: (...args) => inTurn(args[0], () => work.copy(...args)),
    drop: (...args) => inTurn(args[0], () => work.drop(...args)),
  }
}

/** @throws {DriverError} unsupported */
function able({ relocation }: AnyDriver): Relocation {
  if (relocation) return relocation
  throw new DriverError('unsupported', 'This node cannot change the storage of this server.')
}
