import { mkdir, rm } from 'node:fs/promises'
import { cancellation } from '@lodge/driver/cancellation.ts'
import type { DriverWith, Health } from '@lodge/driver/driver.ts'
import type { DriverWarning } from '@lodge/shared/driver-warnings.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { type FrozenCopies, frozenCopies } from './backups/freeze.ts'
import { arrivingUuid } from './copies/moves.ts'
import { removeTpm } from './copies/tpm-state.ts'
import { readOwnData } from './data/data.ts'
import { machinePaths } from './data/layout.ts'
import { disksOf } from './disks/of-machine.ts'
import { withDriverErrors } from './errors.ts'
import { machineEvents } from './events.ts'
import { removeLogs } from './host/node-logs.ts'
import { machineTraces } from './host/traces.ts'
import { type MachineCapability, machineWork } from './machine-work.ts'
import type { LibvirtDriverOptions } from './options.ts'
import { buildParts, type Parts } from './parts.ts'
import { tpmWatch } from './power/lost-tpm.ts'
import { power } from './power/power.ts'
import { provisioning } from './provision.ts'
import { recoverMachines } from './recover.ts'
import { sampler } from './sample.ts'

type Capable = DriverWith<'console' | 'installer' | 'networks' | MachineCapability, MachineSpec>

export interface LibvirtDriver extends Capable {
  /** Disconnects from libvirt; machines keep running. */
  close(): Promise<void>
}

/** Interval at which changed firewall rules are restored, and TPMs of booting machines looked for. */
const WATCH_MS = 10_000

/** Runs servers as virtual machines of libvirt and QEMU. Throws when an option is invalid. */
export function libvirtDriver(options: LibvirtDriverOptions): LibvirtDriver {
  const parts = buildParts(options)
  const { consoles, firewall, port, settings } = parts
  const making = provisioning(parts)
  const running = power(parts)
  const frozen = frozenCopies(parts)
  const works = cancellation('install_failed')
  const measure = sampler(parts)
  const tpms = tpmWatch(parts)
  const watch = setInterval(() => {
    if (!port.isListening()) return
    void firewall.complaint()
    tpms.look().catch((error: unknown) => settings.log(`Could not look for TPMs: ${error}`))
  }, WATCH_MS)
  watch.unref()

  return {
    kind: 'libvirt',
    runs: ['machine'],
    ...machineWork(parts, making, frozen),
    probe: (signal) => probe(parts, frozen, signal),
    recover: () =>
      withDriverErrors(async () => {
        const found = await recoverMachines(parts, running.isStarting)
        // Only logged: a firewall fault must not hide machines from the agent.
        const why = found.length > 0 ? await firewall.recentComplaint() : null
        if (why) settings.log(why)
        // Nor may a guest that is not reached.
        await frozen.endLeft().catch((error: unknown) => {
          settings.log(`Could not end a copy that was left behind: ${error}`)
        })
        return found
      }),

    apply: (server, spec, onProgress, signal) =>
      withDriverErrors(() =>
        works.during(server.serverId, signal, (own) => making.apply(server, spec, onProgress, own)),
      ),
    start: (serverId, signal, permit) =>
      withDriverErrors(async () => {
        await running.start(serverId, signal, permit)
        tpms.started()
      }),
    signal: (serverId, signal) => withDriverErrors(() => running.signal(serverId, signal)),
    kill(serverId) {
      works.cancel(serverId)
      return withDriverErrors(() => running.kill(serverId))
    },
    remove(serverId, andShared) {
      works.cancel(serverId)
      return withDriverErrors(async () => {
        // Before taking the lock, which a start that must be cancelled may hold.
        await running.kill(serverId)
        await parts.locks.hold(serverId, () => removeServer(parts, serverId, andShared))
      })
    },

    events: (signal) => machineEvents(parts, signal),
    sample: () => withDriverErrors(measure),

    installer: {
      install: (server, spec, onProgress, signal) =>
        withDriverErrors(() =>
          works.during(server.serverId, signal, (own) =>
            making.install(server, spec, onProgress, own),
          ),
        ),
    },
    console: {
      follow: consoles.follow,
      write: (serverId, bytes) => withDriverErrors(() => consoles.write(serverId, bytes)),
      tail: (serverId, lines, from) =>
        from === 'run' ? consoles.tail(serverId, lines) : Promise.resolve([]),
    },

    networks: { open: (openings) => withDriverErrors(() => firewall.open(openings)) },
    tracesOf: (serverId) =>
      withDriverErrors(async () => {
        const found = await parts.domains.find(serverId)
        return found ? await machineTraces(found.uuid, settings.networkNamespace) : []
      }),
    dataFolder: (serverId) => machinePaths(settings.dataRoot, serverId).home,
    async close() {
      clearInterval(watch)
      frozen.close()
      consoles.close()
      await port.close()
    },
  }
}

async function probe(parts: Parts, frozen: FrozenCopies, signal: AbortSignal): Promise<Health> {
  try {
    signal.throwIfAborted()
    const { libvirt, hypervisor } = await parts.port.call('versions')
    const why = await parts.firewall.recentComplaint()
    const warnings: DriverWarning[] = [
      ...frozen.complaints(),
      ...(why === null ? [] : [{ code: 'firewall', values: { why } } as const]),
      ...(parts.cpuLimits.work ? [] : [{ code: 'no_cpu_limits', values: {} } as const]),
    ]
    return { ok: true, version: `libvirt ${libvirt}, QEMU ${hypervisor}`, warnings }
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : String(error) }
  }
}

/**
 * Removes the definition first, so that an interrupted removal leaves nothing that can start. What lies
 * on a shared storage stays unless it is to go, too.
 */
async function removeServer(
  parts: Parts,
  serverId: string,
  andShared?: 'and-shared',
): Promise<void> {
  const { consoles, domains, firewall, networks, orphans, places, port, settings } = parts
  const found = await domains.find(serverId)
  const storage = andShared ? await places.require(serverId) : null
  consoles.detach(serverId)
  const paths = machinePaths(settings.dataRoot, serverId)
  await mkdir(settings.dataRoot, { recursive: true, mode: 0o711 })
  if (found) {
    await networks.release(found.record.spec.network)
    // libvirt would delete firmware variables and TPM with the definition, which another node may use.
    if (paths.storage) await removeTpm(parts, found.uuid)
    await port.call(paths.storage ? 'forgetDomain' : 'undefineDomain', found.uuid)
    await firewall.ensure()
  }
  // Without a domain, the record or a partial import still identifies the machine.
  const uuid =
    found?.uuid ??
    (await readOwnData(paths))?.uuid ??
    (paths.storage ? null : await arrivingUuid(paths))
  if (uuid) {
    await orphans.end(uuid)
    await removeTpm(parts, uuid)
  }
  await removeLogs(settings, serverId)
  if (storage) {
    await disksOf(paths).removeAll()
    await rm(storage.folder(serverId), { recursive: true, force: true })
  }
  // Last, because it has the note of what lies elsewhere.
  await rm(paths.folder, { recursive: true, force: true })
}
