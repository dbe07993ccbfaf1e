import type { ServerTotals } from '@lodge/shared/limits/asks.ts'
import type { NumberKey } from '@lodge/shared/limits/keys.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { prepared, statement } from '../../db/prepared.ts'
import { limitSettings } from './areas.ts'

export interface Usage extends ServerTotals {
  readonly running: number
  readonly extraPorts: number
  /** Size of the largest server, part by part. */
  readonly largest: {
    readonly memoryMb: number
    readonly cpuPercent: number
    readonly diskMb: number
  }
}

interface Row {
  servers: number
  running: number
  memory: number
  cpu: number
  disk: number
  topMemory: number
  topCpu: number
  topDisk: number
  ports: number
}

/** Whether servers count that came with a plan; where nothing is set, what the settings begin with. */
const counted = sql`(subscription_id is null or coalesce(
  (select (value->>'countPlanServers')::boolean from settings where area = ${sql.raw(`'${limitSettings.name}'`)}),
  ${sql.raw(String(limitSettings.initial.countPlanServers))}))`
const ownerId = sql`${sql.placeholder('ownerId')}::uuid`

const usageRow = prepared<Row, { ownerId: string }>(
  ['servers', 'running', 'memory', 'cpu', 'disk', 'topMemory', 'topCpu', 'topDisk', 'ports'],
  statement(sql`
    select count(*)::int, count(*) filter (where wish_power = 'on')::int,
      coalesce(sum(memory_mb), 0)::int8, coalesce(sum(cpu_percent), 0)::int8,
      coalesce(sum(disk_mb), 0)::int8, coalesce(max(memory_mb), 0), coalesce(max(cpu_percent), 0),
      coalesce(max(disk_mb), 0),
      (select count(*)::int from server_ports p join servers o on o.id = p.server_id
        where o.owner_id = ${ownerId} and p.offset >= 1 and ${counted})
    from servers where owner_id = ${ownerId} and ${counted}`),
)

/**
 * What a customer's servers take, stopped ones and those being deleted included. Servers that came
 * with a plan belong to the plan and count only where the settings say so.
 */
export async function usageOf(db: Db, ownerId: string): Promise<Usage> {
  const [row] = await usageRow(db, { ownerId })
  if (!row) throw new Error('an aggregate always has one row')
  return {
    servers: row.servers,
    running: row.running,
    memoryMb: row.memory,
    cpuPercent: row.cpu,
    diskMb: row.disk,
    largest: { memoryMb: row.topMemory, cpuPercent: row.topCpu, diskMb: row.topDisk },
    extraPorts: row.ports,
  }
}

/** The part of the usage that a limit counts; 0 for what this installation has none of yet. */
export function usedOf(usage: Usage, key: NumberKey): number {
  const by: Partial<Record<NumberKey, number>> = {
    maxServers: usage.servers,
    runningServers: usage.running,
    maxMemoryMb: usage.memoryMb,
    maxCpuPercent: usage.cpuPercent,
    maxDiskMb: usage.diskMb,
    maxExtraPorts: usage.extraPorts,
    maxServerMemoryMb: usage.largest.memoryMb,
    maxServerCpuPercent: usage.largest.cpuPercent,
    maxServerDiskMb: usage.largest.diskMb,
  }
  return by[key] ?? 0
}
