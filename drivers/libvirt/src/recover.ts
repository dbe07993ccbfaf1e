import { mkdir } from 'node:fs/promises'
import type { RecoveredWorkload } from '@lodge/driver/driver.ts'
import { listData, readOwnData } from './data/data.ts'
import { machinePaths } from './data/layout.ts'
import type { Domain } from './domain/domains.ts'
import { exitOfReason } from './domain/state.ts'
import { asExit, recordExit } from './events.ts'
import { closeFiles } from './host/close-files.ts'
import type { Parts } from './parts.ts'
import { isNotRunning } from './port/fault.ts'

/**
 * Kills remaining processes of a stopped machine. If the lock is held, its holder does this itself.
 */
export async function endOrphans(
  { domains, locks, orphans, settings }: Parts,
  { record, uuid }: Domain,
): Promise<void> {
  if ((await orphans.find(new Set([uuid]))).size === 0) return
  await locks.holdIfFree(record.serverId, async () => {
    const now = await domains.byUuid(uuid)
    if (now?.active) return
    settings.log(
      `Processes of ${record.serverId} survived without libvirt knowing them; killing them`,
    )
    await orphans.end(uuid)
  })
}

/**
 * Kills a machine whose guest never ran. Its record loses the start first, so that nobody takes the
 * end of the process for an exit of the server.
 */
export async function endHalfStarted(
  { domains, endings, port }: Parts,
  { record, uuid }: Domain,
): Promise<void> {
  await domains.note(uuid, { ...record, startedAt: null, held: true })
  endings.expect(uuid)
  await port.call('destroyDomain', uuid).catch((error: unknown) => {
    if (!isNotRunning(error)) throw error
  })
}

/**
 * Lists every machine in our scope, and data folders without a machine. Kills machines whose start
 * was interrupted and processes of stopped ones, and records exits that nothing observed.
 */
export async function recoverMachines(
  parts: Parts,
  isStarting: (serverId: string) => boolean,
): Promise<readonly RecoveredWorkload[]> {
  const { consoles, domains, orphans, settings } = parts
  await mkdir(settings.dataRoot, { recursive: true, mode: 0o711 })

  async function describe(domain: Domain): Promise<RecoveredWorkload> {
    const { record, uuid } = domain
    const { serverId, generation, run, fingerprint, startedAt } = record
    const paths = machinePaths(settings.dataRoot, serverId)
    // Earlier versions left some of them readable by others, but none on a shared storage, which may
    // not answer now.
    if (paths.storage === null) await closeFiles(paths)
    let running = domain.active
    if (domain.halfStarted && !isStarting(serverId)) {
      await endHalfStarted(parts, domain)
      running = false
    }
    if (running) void consoles.attachIfRunning(serverId)
    const facts = { serverId, generation, run, fingerprint, exists: true, running }
    if (running) {
      // The agent died after the guest was resumed, and before that was recorded.
      if (record.held && !isStarting(serverId)) await domains.note(uuid, { ...record, held: false })
      return { ...facts, startedAt, lastExit: null }
    }
    // The guest of a held machine never ran: libvirt's reason is why it was paused, or is about an
    // earlier run.
    const unseen = startedAt && !record.held && (!record.lastExit || record.lastExit.at < startedAt)
    const exit = unseen
      ? await recordExit(parts, uuid, exitOfReason(domain.reason, new Date()))
      : record.lastExit && asExit(record.lastExit)
    return { ...facts, startedAt, lastExit: exit }
  }

  const listed = await domains.list()
  const off = listed.filter(({ active }) => !active)
  const left = await orphans.find(new Set(off.map(({ uuid }) => uuid)))
  await Promise.all(off.filter(({ uuid }) => left.has(uuid)).map((one) => endOrphans(parts, one)))
  const found = await Promise.all(listed.map(describe))
  const known = new Set(found.map(({ serverId }) => serverId))
  for (const serverId of await listData(settings.dataRoot)) {
    if (known.has(serverId)) continue
    const data = await readOwnData(machinePaths(settings.dataRoot, serverId))
    if (data === null) continue
    const { generation, run, fingerprint } = data
    const nothing = { running: false, startedAt: null, lastExit: null, exists: false }
    found.push({ serverId, generation, run, fingerprint, ...nothing })
  }
  return found
}
