import { createConnection } from 'node:net'
import type { Duplex } from 'node:stream'
import { DriverError } from '@lodge/driver/driver.ts'
import type { MachineSpace, Machines } from '@lodge/driver/machines.ts'
import { moves } from './copies/moves.ts'
import { bytesOnDisk, partsOf } from './copies/parts-of.ts'
import { snapshots } from './copies/snapshots.ts'
import type { Domain } from './domain/domains.ts'
import { inOurWords } from './errors.ts'
import { machinePaths } from './layout.ts'
import type { Parts } from './parts.ts'
import type { Provisioning } from './provision.ts'
import { virtualizationReport } from './report.ts'
import { asPng } from './screen/png.ts'
import { serialLogFiles } from './serial-log.ts'

/** What there is to machines beyond running them. */
export function machineWork(parts: Parts, making: Provisioning): Machines {
  const { domains, media, port, settings } = parts
  const copies = snapshots(parts)
  const moving = moves(parts, making.applyUnlocked)

  async function running(serverId: string): Promise<Domain> {
    const found = await domains.get(serverId)
    if (found.active) return found
    throw new DriverError('not_running', 'The machine does not run.')
  }

  return {
    report: (signal) => virtualizationReport(parts, signal),

    createSnapshot: (...args) => inOurWords(() => copies.createSnapshot(...args)),
    restoreSnapshot: (...args) => inOurWords(() => copies.restoreSnapshot(...args)),
    deleteSnapshot: (...args) => inOurWords(() => copies.deleteSnapshot(...args)),
    listSnapshots: (...args) => inOurWords(() => copies.listSnapshots(...args)),

    openScreen: (serverId, signal) =>
      inOurWords(async () => {
        const { record } = await running(serverId)
        if (record.spec.profile.video === 'none')
          throw new DriverError('unsupported', 'The machine has no screen.')
        return connected(machinePaths(settings.dataRoot, serverId).screenSocket, signal)
      }),
    screenshot: (serverId) =>
      inOurWords(async () => {
        const { uuid, record } = await running(serverId)
        if (record.spec.profile.video === 'none')
          throw new DriverError('unsupported', 'The machine has no screen.')
        return asPng(await port.call('screenshot', uuid))
      }),

    cacheMedium: (medium, onProgress, signal) =>
      inOurWords(async () => {
        await media.fetch(medium, onProgress, signal)
      }),
    dropMedium: (sha256) =>
      inOurWords(async () => {
        const all = await domains.list()
        if (!all.some(({ record }) => record.spec.medium?.sha256 === sha256))
          await media.drop(sha256)
      }),

    exportManifest: (...args) => inOurWords(() => moving.exportManifest(...args)),
    readExport: (...args) => inOurWords(() => moving.readExport(...args)),
    importMachine: (...args) => inOurWords(() => moving.importMachine(...args)),

    space: (serverId) => inOurWords(() => space(parts, serverId)),
  }
}

async function space(parts: Parts, serverId: string): Promise<MachineSpace> {
  const machine = await parts.domains.get(serverId)
  const paths = machinePaths(parts.settings.dataRoot, serverId)
  const disks = machine.record.spec.disks.map(async ({ id, sizeMb }) => ({
    id,
    sizeMb,
    usedBytes: await bytesOnDisk([paths.disk(id)]),
  }))
  const rest = (await partsOf(parts, machine)).filter(({ part }) => part !== 'disk')
  const logs = serialLogFiles(paths.serialLog)
  const kept = await snapshots(parts).listSnapshots(serverId)
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
      // Whoever got it hears of its end by `close`.
      socket.on('error', () => {})
      resolve(socket)
    })
  })
}
