import { DriverError, type OnProgress } from '@lodge/driver/driver.ts'
import type { BackupWork } from '@lodge/shared/backup-work.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import type { AnyDriver } from './drivers.ts'
import type { Journal } from './journal/journal.ts'
import {
  adoptedPlacement,
  adoptPlacement,
  releasedPlacement,
  releasePlacement,
} from './journal/released.ts'
import type { Servers } from './reconcile/servers.ts'
import type { StorageHolds } from './storage/holds.ts'
import { type Relocations, relocationsOf } from './storage/relocations.ts'

interface Parts {
  /** Runs container servers. */
  readonly driver: AnyDriver
  readonly journal: Journal
  readonly servers: Servers
  readonly storages: StorageHolds
}

/** Where servers from other nodes get a place, and those given away lose it. */
export interface Places {
  /**
   * Prepares what a start needs, for a server that another node still has.
   * @param work.empty its files come from elsewhere; otherwise those of one on a shared storage are there
   */
  make(
    serverId: string,
    work: Pick<Of<'make-place'>, 'placementGeneration' | 'spec' | 'empty'>,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
  /**
   * The same for a virtual machine: with empty disks, into which a backup is then restored, or with its
   * disks on a shared storage.
   */
  makeMachine(
    serverId: string,
    placementGeneration: number,
    spec: MachineSpec,
    onProgress: OnProgress,
    signal: AbortSignal,
  ): Promise<void>
  /** Records that its files are complete here. */
  adopt(serverId: string, placementGeneration: number): void
  /** Stops it and never starts it here again; its files are kept. */
  supersede(serverId: string, placementGeneration: number, signal: AbortSignal): Promise<void>
  discard(serverId: string, work: Omit<Of<'discard'>, 'do'>): Promise<void>
  readonly relocations: Relocations
}

type Of<Name extends BackupWork['do']> = Extract<BackupWork, { do: Name }>

/** Removals under way, by journal (one per agent) and server. */
const removals = new WeakMap<Journal, Map<string, Promise<void>>>()

/**
 * Resolves once nothing of the server is being removed. It may come back while what it left here is
 * removed, which would take the new place along.
 */
export async function removalEnded(journal: Journal, serverId: string): Promise<void> {
  await removals.get(journal)?.get(serverId)
}

/** Every piece of work can be repeated. */
export const placesOf = (
  parts: Parts & {
    readonly machines: AnyDriver
    readonly driverOf: (serverId: string) => AnyDriver
  },
): Places => ({
  relocations: relocationsOf(parts),
  async make(serverId, { placementGeneration, spec, empty }, onProgress, signal) {
    await removalEnded(parts.journal, serverId)
    requireAbsent(parts, serverId, placementGeneration)
    // Taken already here: whatever an earlier placement left there must not be deleted from now on.
    if (empty) await parts.storages.take({ serverId, placementGeneration, spec })
    else await parts.storages.require(serverId, spec)
    const server = { serverId, generation: 0, run: 0 }
    await parts.driver.apply(server, spec, onProgress, signal)
  },
  async makeMachine(serverId, placementGeneration, spec, onProgress, signal) {
    const { journal, machines, servers } = parts
    await removalEnded(journal, serverId)
    requireAbsent(parts, serverId, placementGeneration)
    // Its disks are not empty any more.
    if (adoptedPlacement(journal, serverId) >= placementGeneration) return
    const server = { serverId, generation: 0, run: 0 }
    const blank: MachineSpec = { ...spec, source: { kind: 'blank' } }
    if (spec.storage === undefined)
      await machines.installer?.install(server, blank, onProgress, signal)
    else await parts.storages.require(serverId, spec)
    await machines.apply(server, blank, onProgress, signal)
    await servers.imported(serverId)
  },
  adopt(serverId, placementGeneration) {
    requireAbsent(parts, serverId, placementGeneration)
    adoptPlacement(parts.journal, serverId, placementGeneration)
  },
  async supersede(serverId, placementGeneration, signal) {
    const { journal, servers } = parts
    requireNotBack(parts, serverId, placementGeneration)
    releasePlacement(journal, serverId, placementGeneration)
    await servers.superseded(serverId, signal)
  },
  async discard(serverId, { placementGeneration, filesOn, machine }) {
    const { machines, storages } = parts
    const driver = machine ? machines : parts.driver
    const server = { serverId, placementGeneration }
    await discardPlace({ ...parts, driver }, serverId, placementGeneration, async () => {
      const go = filesOn !== undefined && (await storages.mayDeleteFrom(filesOn, server))
      await driver.remove(serverId, go ? 'and-shared' : undefined)
      // Of a place that was given up early, the driver knows nothing there.
      if (go) await storages.clear(filesOn, serverId)
    })
  },
})

/** Late work must not revive a placement that was given away, nor touch a server that is here. */
function requireAbsent(
  { journal, servers }: Parts,
  serverId: string,
  placementGeneration: number,
): void {
  if (placementGeneration <= releasedPlacement(journal, serverId))
    throw new DriverError('not_permitted', 'This node has given the server away since.')
  const here = servers.find(serverId)?.desired
  if (here && !here.removed)
    throw new DriverError('not_permitted', 'The server is on this node already.')
}

/** It may have moved back since; late work would then stop or destroy it. */
function requireNotBack(
  { servers }: Pick<Parts, 'servers'>,
  serverId: string,
  placementGeneration: number,
): void {
  const here = servers.find(serverId)?.desired
  if (here && !here.removed && here.placementGeneration > placementGeneration)
    throw new DriverError('not_permitted', 'The server has come back to this node since.')
}

/**
 * Removes every trace of a server that another node has.
 * @param removeAll by its driver; files on a shared storage stay
 */
export async function discardPlace(
  parts: Omit<Parts, 'storages'>,
  serverId: string,
  placementGeneration: number,
  removeAll = () => parts.driver.remove(serverId),
): Promise<void> {
  const { driver, journal, servers } = parts
  requireNotBack(parts, serverId, placementGeneration)
  // Recorded first: once given away, it must never start here, even if this is interrupted before
  // it is removed.
  releasePlacement(journal, serverId, placementGeneration)
  const running = removals.get(journal) ?? new Map<string, Promise<void>>()
  removals.set(journal, running)
  const removal = remove()
  // Whoever waits for it wants to know that it has ended, not how.
  const ended = removal.catch(() => undefined)
  running.set(serverId, ended)
  try {
    await removal
  } finally {
    if (running.get(serverId) === ended) running.delete(serverId)
  }

  async function remove(): Promise<void> {
    await driver.kill(serverId)
    await removeAll()
    servers.discarded(serverId)
  }
}
