import { chmod, mkdir, readdir, readFile, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Backups } from '@lodge/driver/capabilities/backups.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { formatBytes } from '@lodge/shared/units.ts'
import { stoppedMachine } from '../copies/parts-of.ts'
import { RESERVE_BYTES } from '../copies/room.ts'
import { syncPath, writeWhole } from '../data/files.ts'
import { type MachinePaths, machinePaths } from '../data/layout.ts'
import { sweepDisks } from '../disks/of-machine.ts'
import type { Parts } from '../parts.ts'
import { completeExchange, exchange, Plan, readExchange, stagedIn } from './exchange.ts'
import type { FrozenCopies } from './freeze.ts'
import { planRestore } from './plan.ts'

const idIn = (paths: MachinePaths) => join(paths.restore, 'restore-id')
/** Written last: what is to be put in place, all of which is verified. */
const planIn = (paths: MachinePaths) => join(paths.restore, 'plan.json')

/** Backs up machines, and exchanges their files for restored ones. */
export function machineBackups(parts: Parts, copies: FrozenCopies): Backups {
  const { domains, locks, places, settings } = parts
  const pathsOf = (serverId: string) => machinePaths(settings.dataRoot, serverId)

  return {
    async open(serverId) {
      await domains.get(serverId)
      await places.require(serverId)
      return pathsOf(serverId).home
    },

    freeze: copies.freeze,

    stage: (serverId, restoreId, sizeBytes, signal) =>
      locks.hold(serverId, async () => {
        // Needs what waits there.
        await completeIfStopped(parts, serverId)
        const paths = pathsOf(serverId)
        await rm(paths.restore, { recursive: true, force: true })
        await sweepDisks(settings.dataRoot, serverId)
        const { bavail, bsize } = await statfs(paths.home)
        const needed = sizeBytes + RESERVE_BYTES
        if (bavail * bsize < needed)
          throw new DriverError(
            'disk_full',
            `The node has no room to restore beside the present disks, which is how nothing is lost: ${formatBytes(needed)} have to be free on its disk, and ${formatBytes(bavail * bsize)} are.`,
          )
        signal.throwIfAborted()
        await mkdir(stagedIn(paths), { recursive: true, mode: 0o700 })
        await writeWhole(idIn(paths), restoreId)
        return stagedIn(paths)
      }),

    async complete(serverId, _restoreId, signal) {
      await places.require(serverId)
      const paths = pathsOf(serverId)
      const machine = await domains.get(serverId)
      const holding = (work: () => Promise<void>) => locks.hold(serverId, work)
      const plan = await planRestore(paths, machine, stagedIn(paths), holding, signal)
      for (const { name } of plan.items) {
        signal.throwIfAborted()
        await chmod(join(stagedIn(paths), name), 0o600)
        await syncPath(join(stagedIn(paths), name))
      }
      await syncPath(stagedIn(paths))
      await writeWhole(planIn(paths), JSON.stringify(plan))
    },

    swap: (serverId, restoreId) =>
      locks.hold(serverId, async () => {
        await stoppedMachine(parts, serverId)
        const paths = pathsOf(serverId)
        const before = await readExchange(paths)
        if (before?.restoreId === restoreId && before.inPlace === 'restored') return
        const plan = await readPlan(paths, restoreId)
        // Of an earlier restore, which has long been settled.
        await rm(paths.former, { recursive: true, force: true })
        await sweepDisks(settings.dataRoot, serverId)
        await exchange(parts, serverId, { ...plan, restoreId, inPlace: 'restored' })
      }),

    swapBack: (serverId, restoreId) =>
      locks.hold(serverId, async () => {
        await places.require(serverId)
        const paths = pathsOf(serverId)
        const before = await readExchange(paths)
        if (before?.restoreId !== restoreId) return
        await stoppedMachine(parts, serverId)
        if (before.inPlace === 'former') return
        const { uuid, items, tpm } = before
        await exchange(parts, serverId, { uuid, items, tpm, restoreId, inPlace: 'former' })
      }),

    settle: (serverId, restoreId) =>
      locks.hold(serverId, async () => {
        if (!(await exists(pathsOf(serverId).folder))) return
        await completeIfStopped(parts, serverId)
        const paths = pathsOf(serverId)
        const before = await readExchange(paths)
        // Another restore may have begun: this one is settled late when its node was away.
        const id = await readFile(idIn(paths), 'utf8').catch(() => null)
        if (id === null || id === restoreId)
          await rm(paths.restore, { recursive: true, force: true })
        if (before?.restoreId === restoreId) {
          await rm(paths.former, { recursive: true, force: true })
          await rm(paths.exchange, { force: true })
        }
        await sweepDisks(settings.dataRoot, serverId)
      }),

    async put() {
      throw new DriverError(
        'unsupported',
        'A backup of a virtual machine contains disks, and no single files.',
      )
    },
  }
}

/** A running machine was started, which completed what was decided. */
async function completeIfStopped(parts: Parts, serverId: string): Promise<void> {
  await parts.places.require(serverId)
  if (!(await parts.domains.find(serverId))?.active) await completeExchange(parts, serverId)
}

/** @throws {DriverError} `not_found` unless everything of this restore is there */
async function readPlan(paths: MachinePaths, restoreId: string): Promise<Plan> {
  const id = await readFile(idIn(paths), 'utf8').catch(() => null)
  const text = id === restoreId ? await readFile(planIn(paths), 'utf8').catch(() => null) : null
  const names = new Set(await readdir(stagedIn(paths)).catch((): string[] => []))
  const plan = text === null ? null : Plan.parse(JSON.parse(text))
  if (plan?.items.every(({ name }) => names.has(name))) return plan
  throw new DriverError('not_found', 'Nothing was restored to be put in place.')
}
