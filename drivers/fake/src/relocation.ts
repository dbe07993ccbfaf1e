import { cp, rm } from 'node:fs/promises'
import type { Relocation, StorageOrDisk } from '@lodge/driver/capabilities/relocation.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { filesOf } from '@lodge/driver/storage/holder.ts'
import { inPlace, notWhole } from '@lodge/driver/storage/note.ts'
import type { SharedStorages } from '@lodge/driver/storage/shared-storages.ts'
import type { WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { FakeKnobs } from './knobs.ts'
import { pause } from './pause.ts'
import type { FakeRuntime } from './runtime.ts'

/** Changes the storage of servers: of real folders, of short texts and of machines that are texts. */
export function fakeRelocation(given: {
  readonly runtime: FakeRuntime
  readonly knobs: FakeKnobs
  readonly storages: SharedStorages
  /** The folder on the node's own disk. */
  readonly own: (serverId: string) => string
  readonly folder: (serverId: string) => string
  readonly hasFolders: boolean
}): {
  readonly offered: Relocation
  /** Notes where the data lie. Throws `storage_away` while the storage is not there. */
  readonly follow: (serverId: string, spec: WorkloadSpec) => Promise<void>
} {
  const { runtime, knobs, storages, own, folder, hasFolders } = given
  const folderOn = async (serverId: string, on: StorageOrDisk) =>
    on === null ? own(serverId) : filesOf(await storages.find(on), serverId)

  function requireStopped(serverId: string): void {
    if (!runtime.servers.get(serverId)?.workload?.running) return
    throw new DriverError('not_stopped', 'The server still runs.', { retryable: true })
  }

  function put(serverId: string, place: string): void {
    if (place === own(serverId)) runtime.shared.delete(serverId)
    else runtime.shared.set(serverId, place)
  }

  /** Whether there was a copy, which is in place now. */
  function swap(serverId: string, place: string): boolean {
    const key = `${serverId} ${place}`
    const copy = runtime.copies.get(key)
    if (copy === undefined) return false
    const machine = runtime.machines.get(serverId)
    const former = `${serverId} ${folder(serverId)}`
    runtime.copies.set(former, machine ? { parts: new Map(machine.parts) } : {})
    runtime.copies.delete(key)
    if (machine && copy.parts) {
      machine.parts.clear()
      for (const [name, content] of copy.parts) machine.parts.set(name, content)
    }
    put(serverId, place)
    if (machine && place !== own(serverId)) runtime.disks.set(place, machine)
    return true
  }

  return {
    async follow(serverId, { storage }) {
      const wanted = await folderOn(serverId, storage ?? null)
      if (wanted === folder(serverId) || swap(serverId, wanted)) return
      // Without a copy on the disk, the data of an earlier spec stay where they are.
      if (storage !== undefined) put(serverId, wanted)
    },

    offered: {
      async copy(serverId, to, onProgress, signal) {
        runtime.check()
        requireStopped(serverId)
        const place = await folderOn(serverId, to)
        if (place === folder(serverId)) return
        runtime.copies.delete(`${serverId} ${place}`)
        onProgress({ step: 'copy', percent: 50, detail: 'Copying the files' })
        await pause(knobs.copyDelayMs, signal)
        if (knobs.copyError) throw knobs.copyError
        if (hasFolders) {
          await rm(place, { recursive: true, force: true })
          await cp(folder(serverId), place, { recursive: true })
        }
        const text = runtime.folders.get(folder(serverId))
        if (text !== undefined) runtime.folders.set(place, text)
        const machine = runtime.machines.get(serverId)
        const copy = machine ? { parts: new Map(machine.parts) } : {}
        runtime.copies.set(`${serverId} ${place}`, copy)
      },
      async place(serverId, on) {
        runtime.check()
        const there = await folderOn(serverId, on).catch((error: unknown) => {
          requireStopped(serverId)
          throw error
        })
        if (there === folder(serverId)) return
        requireStopped(serverId)
        if (!swap(serverId, there)) throw notWhole()
      },
      async drop(serverId, on) {
        runtime.check()
        const place = await folderOn(serverId, on)
        if (runtime.servers.has(serverId) && place === folder(serverId)) throw inPlace()
        runtime.copies.delete(`${serverId} ${place}`)
        runtime.folders.delete(place)
        runtime.disks.delete(place)
        if (hasFolders) await rm(place, { recursive: true, force: true })
        if (on === null) return
        const storage = await storages.find(on)
        await rm(storage.folder(serverId), { recursive: true, force: true })
      },
    },
  }
}
