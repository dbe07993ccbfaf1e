import { createConnection } from 'node:net'
import type { Duplex } from 'node:stream'
import type { DiskUsageReport } from '@lodge/driver/capabilities/disk-usage.ts'
import type { Capabilities } from '@lodge/driver/capabilities.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { machineBackups } from './backups/backups.ts'
import type { FrozenCopies } from './backups/freeze.ts'
import { bytesOnDisk } from './copies/file-bytes.ts'
import { moves } from './copies/moves.ts'
import { partsOf } from './copies/parts-of.ts'
import { relocation } from './copies/relocate.ts'
import { snapshots } from './copies/snapshots.ts'
import { machinePaths } from './data/layout.ts'
import { disksOf } from './disks/of-machine.ts'
import type { Domain } from './domain/domains.ts'
import { withDriverErrors } from './errors.ts'
import { serialLogFiles } from './output/serial-log.ts'
import type { Parts } from './parts.ts'
import type { Provisioning } from './provision.ts'
import { virtualizationReport } from './report.ts'
import { asPng } from './screen/png.ts'

export type MachineCapability =
  | 'virtualization'
  | 'snapshots'
  | 'screen'
  | 'media'
  | 'transfer'
  | 'diskUsage'
  | 'backups'
  | 'relocation'

type MachineCapabilities = Required<Pick<Capabilities<MachineSpec>, MachineCapability>>

/** The capabilities of machines beyond running them. */
export function machineWork(
  parts: Parts,
  making: Provisioning,
  frozen: FrozenCopies,
): MachineCapabilities {
  const { domains, media, port, settings } = parts
  const copies = snapshots(parts)
  const backups = machineBackups(parts, frozen)
  const relocating = relocation(parts)
  const moving = moves(parts, making.applyUnlocked)

  async function running(serverId: string): Promise<Domain> {
    const found = await domains.get(serverId)
    if (found.active) return found
    throw new DriverError('not_running', 'The machine does not run.')
  }

  async function withScreen(serverId: string): Promise<Domain> {
    const found = await running(serverId)
    if (found.record.spec.profile.video !== 'none') return found
    throw new DriverError('unsupported', 'The machine has no screen.')
  }

  return {
    virtualization: { report: (signal, anew) => virtualizationReport(parts, signal, anew) },
    snapshots: {
      create: (...args) => withDriverErrors(() => copies.create(...args)),
      restore: (...args) => withDriverErrors(() => copies.restore(...args)),
      delete: (...args) => withDriverErrors(() => copies.delete(...args)),
      list: (...args) => withDriverErrors(() => copies.list(...args)),
    },
    screen: {
      open: (serverId, signal) =>
        withDriverErrors(async () => {
          await withScreen(serverId)
          return connected(machinePaths(settings.dataRoot, serverId).screenSocket, signal)
        }),
      capture: (serverId) =>
        withDriverErrors(async () => {
          const { uuid } = await withScreen(serverId)
          return asPng(await port.call('screenshot', uuid))
        }),
    },
    media: {
      cache: (medium, onProgress, signal) =>
        withDriverErrors(async () => {
          await media.fetch(medium, onProgress, signal)
        }),
      drop: (sha256) =>
        withDriverErrors(async () => {
          const all = await domains.list()
          if (!all.some(({ record }) => record.spec.medium?.sha256 === sha256))
            await media.drop(sha256)
        }),
    },
    transfer: {
      manifest: (...args) => withDriverErrors(() => moving.manifest(...args)),
      read: (...args) => withDriverErrors(() => moving.read(...args)),
      import: (...args) => withDriverErrors(() => moving.import(...args)),
    },
    relocation: {
      copy: (...args) => withDriverErrors(() => relocating.copy(...args)),
      place: (...args) => withDriverErrors(() => relocating.place(...args)),
      drop: (...args) => withDriverErrors(() => relocating.drop(...args)),
    },
    diskUsage: { measure: (serverId) => withDriverErrors(() => measure(parts, serverId)) },
    backups: {
      open: (...args) => withDriverErrors(() => backups.open(...args)),
      freeze: (...args) => withDriverErrors(() => backups.freeze(...args)),
      stage: (...args) => withDriverErrors(() => backups.stage(...args)),
      complete: (...args) => withDriverErrors(() => backups.complete(...args)),
      swap: (...args) => withDriverErrors(() => backups.swap(...args)),
      swapBack: (...args) => withDriverErrors(() => backups.swapBack(...args)),
      settle: (...args) => withDriverErrors(() => backups.settle(...args)),
      put: (...args) => withDriverErrors(() => backups.put(...args)),
    },
  }
}

async function measure(parts: Parts, serverId: string): Promise<DiskUsageReport> {
  const machine = await parts.domains.get(serverId)
  await parts.places.require(serverId)
  const paths = machinePaths(parts.settings.dataRoot, serverId)
  const disks = machine.record.spec.disks.map(async ({ id, sizeMb }) => ({
    id,
    sizeMb,
    usedBytes: await disksOf(paths).usedBytes([paths.disk(id)]),
  }))
  const rest = (await partsOf(parts, machine)).filter(({ part }) => part !== 'disk')
  const logs = serialLogFiles(paths.serialLog)
  const kept = await snapshots(parts).list(serverId)
  return {
    disks: await Promise.all(disks),
    snapshotBytes: kept.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    otherBytes: await bytesOnDisk([...rest.map(({ path }) => path), ...logs]),
  }
}

function connected(path: string, signal: AbortSignal): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const socket = createConnection({ path, signal })
    socket.once('error', (error) =>
      reject(
        signal.aborted
          ? signal.reason
          : new DriverError('not_running', 'The screen of the machine cannot be reached.', {
              retryable: true,
              cause: error,
            }),
      ),
    )
    socket.once('connect', () => {
      socket.removeAllListeners('error')
      // The caller learns of the end through `close`.
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}
