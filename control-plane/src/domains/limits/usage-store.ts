import type { ServerTotals } from '@lodge/shared/limits/asks.ts'
import type { NumberKey } from '@lodge/shared/limits/keys.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'

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

interface Row extends Record<string, unknown> {
  servers: number
  running: number
  memory: number
  cpu: number
  disk: number
  top_memory: number
  top_cpu: number
  top_disk: number
  ports: number
}

/**
 * What a customer's servers take, stopped ones and those being deleted included. Servers that came
 * with a plan belong to the plan and count only where the settings say so.
 */
export async function usageOf(db: Db, ownerId: string, countPlanServers: boolean): Promise<Usage> {
  const { rows } = await db.execute<Row>(sql`
    select count(*)::int as servers,
      count(*) filter (where wish_power = 'on')::int as running,
      coalesce(sum(memory_mb), 0)::int8 as memory, coalesce(sum(cpu_percent), 0)::int8 as cpu,
      coalesce(sum(disk_mb), 0)::int8 as disk,
      coalesce(max(memory_mb), 0) as top_memory, coalesce(max(cpu_percent), 0) as top_cpu,
      coalesce(max(disk_mb), 0) as top_disk,
      (select count(*)::int from server_ports p join servers o on o.id = p.server_id
        where o.owner_id = ${ownerId}::uuid and p.offset >= 1
          and (o.subscription_id is null or ${countPlanServers})) as ports
    from servers where owner_id = ${ownerId}::uuid and (subscription_id is null or ${countPlanServers})`)
  const row = rows[0]
  if (!row) throw new Error('an aggregate always has one row')
  return {
    servers: row.servers,
    running: row.running,
    memoryMb: row.memory,
    cpuPercent: row.cpu,
    diskMb: row.disk,
    largest: { memoryMb: row.top_memory, cpuPercent: row.top_cpu, diskMb: row.top_disk },
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
