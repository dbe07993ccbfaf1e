import { chown, mkdir, rm } from 'node:fs/promises'
import { uptime } from 'node:os'
import { cancellation } from '@lodge/driver/cancellation.ts'
import type { BootPermit } from '@lodge/driver/driver.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { Signal } from '@lodge/shared/container-spec.ts'
import { completeExchange } from '../backups/exchange.ts'
import { forgetSent } from '../copies/leaving.ts'
import { linkTpm } from '../copies/tpm-state.ts'
import { readData } from '../data/data.ts'
import { domainName, type MachinePaths, machinePaths } from '../data/layout.ts'
import { requireFirmware } from '../disks/firmware.ts'
import { disksOf } from '../disks/of-machine.ts'
import { checkDisks } from '../disks/shape.ts'
import { define, isAboutCpuLimits } from '../domain/define.ts'
import type { Domain } from '../domain/domains.ts'
import { closeFiles } from '../host/close-files.ts'
import { qemuUser } from '../host/system-user.ts'
import { removeSerialLog } from '../output/serial-log.ts'
import type { Parts } from '../parts.ts'
import { isNotRunning } from '../port/fault.ts'
import { requireAccelerator } from '../provision.ts'
import { endHalfStarted, endOrphans } from '../recover.ts'
import { askToStop } from './ask-to-stop.ts'

/** Starts and stops existing machines. */
export interface Power {
  start(serverId: string, signal: AbortSignal, permit?: BootPermit): Promise<void>
  signal(serverId: string, signal: Signal): Promise<void>
  kill(serverId: string): Promise<void>
  isStarting(serverId: string): boolean
}

export function power(parts: Parts): Power {
  const { consoles, domains, endings, firewall, locks, media, networks } = parts
  const { orphans, places, port, settings } = parts
  const starts = cancellation('start_failed')

  async function start(serverId: string, signal: AbortSignal, permit?: BootPermit): Promise<void> {
    const found = await domains.get(serverId)
    if (found.active && !found.halfStarted) return
    // Checked first to fail early, and again below, because preparing a machine takes time.
    requirePermit(permit)
    // Left by an agent or a libvirt that died during a start.
    if (found.halfStarted) await endHalfStarted(parts, found)
    // An orphaned QEMU still writes to the disks; a second one would corrupt them.
    await orphans.end(found.uuid)
    const { record, uuid } = found
    await places.require(serverId)
    const paths = machinePaths(settings.dataRoot, serverId)
    await requireAccelerator(parts, record.spec, signal)
    await requireFirmware(record.spec)
    const data = await readData(paths)
    if (data?.unfinished)
      throw new DriverError(
        'start_failed',
        data.unfinished === 'install'
          ? 'The installation of the machine was not finished.'
          : 'The return to a snapshot was not finished.',
      )
    await completeExchange(parts, serverId)
    await checkDisks(paths, record.spec)
    await forgetSent(paths)
    await closeFiles(paths)
    if (record.spec.profile.tpm) await linkTpm(parts, paths, uuid)
    if (await port.call('hasManagedSave', uuid))
      throw new DriverError(
        'start_failed',
        `Somebody has put the machine to sleep on the node, and its memory was saved there. Without what was saved it starts anew after: virsh managedsave-remove ${domainName(settings.scope, serverId)}`,
      )
    if (record.spec.medium) await media.file(record.spec.medium.sha256)
    await networks.ensure(record.spec.network)
    await prepareSockets(paths)
    await removeSerialLog(paths.serialLog)
    signal.throwIfAborted()
    for (const { id } of record.spec.disks) {
      // Whoever has the disk is stopped by that, so only under a permit that is still valid.
      requirePermit(permit)
      await disksOf(paths).claim(paths.disk(id))
    }
    signal.throwIfAborted()
    requirePermit(permit)
    // An expectation left by an earlier kill would make a crash of this run look like ours.
    endings.forget(uuid)
    try {
      const started = { ...record, startedAt: new Date(), lastExit: null, held: true }
      // Started paused: console and firewall must be in place before the guest runs. `held` marks
      // the guest in case this process dies before resuming it.
      await boot({ ...found, record: started }, permit)
      await consoles.attach(serverId)
      await firewall.ensure()
      signal.throwIfAborted()
      await port.call('resumeDomain', uuid)
      await domains.note(uuid, { ...started, held: false })
    } catch (error) {
      // A failed start leaves neither a permit nor a paused guest behind.
      consoles.detach(serverId)
      await settings.guard?.revoke(uuid).catch(() => {})
      await end(uuid).catch(() => {})
      signal.throwIfAborted()
      throw error
    }
    // Cancelled while libvirt resumed the guest: the caller considers it stopped.
    if (!signal.aborted) return
    await end(uuid)
    signal.throwIfAborted()
  }

  /** Boots a machine, without a CPU limit if the kernel cannot enforce one. */
  async function boot(machine: Domain, permit: BootPermit): Promise<void> {
    try {
      await bootOnce(machine, permit)
    } catch (error) {
      if (!isAboutCpuLimits(error) || !parts.cpuLimits.work) throw error
      parts.cpuLimits.work = false
      settings.log('This node cannot limit CPU use: its kernel has no CPU cgroups.')
      await bootOnce(machine, permit)
    }
  }

  async function bootOnce({ record, uuid }: Domain, permit: BootPermit): Promise<void> {
    await define(parts, record)
    // Valid for one start, even a failed one.
    await settings.guard?.grant(uuid, permit)
    await port.call('startPaused', uuid)
  }

  /** Kills a machine; does nothing when it is not running. */
  async function end(uuid: string): Promise<void> {
    endings.expect(uuid)
    try {
      await port.call('destroyDomain', uuid)
    } catch (error) {
      // Already ended, possibly killed by us just now: the event may still be pending, so keep
      // expecting it.
      if (isNotRunning(error)) return
      endings.forget(uuid)
      throw error
    }
  }

  return {
    start: (serverId, signal, permit) =>
      starts.during(serverId, signal, (own) =>
        locks.hold(serverId, () => start(serverId, own, permit)),
      ),

    async signal(serverId, signal) {
      if (signal !== 'SIGTERM' && signal !== 'SIGKILL') return
      const found = await domains.find(serverId)
      if (!found?.active) return
      if (signal === 'SIGKILL') return await end(found.uuid)
      await askToStop(parts, found)
    },

    async kill(serverId) {
      // Without the lock: a kill must not wait for the start that it cancels.
      starts.cancel(serverId)
      const found = await domains.find(serverId)
      if (found?.active) await end(found.uuid)
      else if (found) await endOrphans(parts, found)
    },
    isStarting: starts.isUnderWay,
  }
}

function requirePermit(permit: BootPermit | undefined): asserts permit is BootPermit {
  if (permit && permit.validUntilUptimeMs >= uptime() * 1000) return
  throw new DriverError('not_permitted', 'The machine has no permit to boot.', {
    retryable: true,
  })
}

/** QEMU creates its sockets here as its own user; those of an earlier run would be in the way. */
async function prepareSockets(paths: MachinePaths): Promise<void> {
  await rm(paths.sockets, { recursive: true, force: true })
  await mkdir(paths.sockets, { mode: 0o700 })
  const { uid, gid } = await qemuUser()
  await chown(paths.sockets, uid, gid)
}
