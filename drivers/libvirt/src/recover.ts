import { mkdir } from 'node:fs/promises'
import type { RecoveredWorkload } from '@lodge/driver/driver.ts'
import { listData, readData } from './data.ts'
import type { Domain } from './domain/domains.ts'
import { exitOfReason } from './domain/state.ts'
import { asExit, noted } from './events.ts'
import { machinePaths } from './layout.ts'
import type { Parts } from './parts.ts'

/**
 * Every machine of our scope, and folders with data of which there is no machine. A machine that was
 * made for a start which nobody finished is ended; an end that nobody saw is noted now.
 */
export async function recoverMachines(
  parts: Parts,
  isStarting: (serverId: string) => boolean,
): Promise<readonly RecoveredWorkload[]> {
  const { consoles, domains, endings, port, settings } = parts
  await mkdir(settings.dataRoot, { recursive: true, mode: 0o711 })

  async function describe(domain: Domain): Promise<RecoveredWorkload> {
    const { record, uuid } = domain
    const { serverId, generation, run, fingerprint, startedAt } = record
    let running = domain.active
    if (domain.halfStarted && !isStarting(serverId)) {
      endings.expect(uuid)
      await port.call('destroyDomain', uuid)
      running = false
    }
    if (running) void consoles.attachIfRunning(serverId)
    const facts = { serverId, generation, run, fingerprint, exists: true, running }
    if (running) return { ...facts, startedAt, lastExit: null }
    const unseen = startedAt && (!record.lastExit || record.lastExit.at < startedAt)
    const exit = unseen
      ? await noted(parts, uuid, exitOfReason(domain.reason, new Date()))
      : record.lastExit && asExit(record.lastExit)
    return { ...facts, startedAt, lastExit: exit }
  }

  const found = await Promise.all((await domains.list()).map(describe))
  const known = new Set(found.map(({ serverId }) => serverId))
  for (const serverId of await listData(settings.dataRoot)) {
    if (known.has(serverId)) continue
    const data = await readData(machinePaths(settings.dataRoot, serverId))
    if (data === null) continue
    const { generation, run, fingerprint } = data
    const nothing = { running: false, startedAt: null, lastExit: null, exists: false }
    found.push({ serverId, generation, run, fingerprint, ...nothing })
  }
  return found
}
