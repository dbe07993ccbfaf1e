import type { ServerTotals } from '@lodge/shared/limits/asks.ts'
import { type AccountPlan, LIVE_STATUSES } from '@lodge/shared/limits/effective.ts'
import type { NumberKey } from '@lodge/shared/limits/keys.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { prepared, statement } from '../../db/prepared.ts'
import { limitDefaults, limitSettings } from './areas.ts'

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

interface StandingRow {
  settings: unknown
  defaults: unknown
  plans: AccountPlan[]
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

const stored = (area: string) =>
  sql`(select value from settings where area = ${sql.raw(`'${area}'`)})`
/** Whether servers count that came with a plan; where nothing is set, what the settings begin with. */
const counted = sql`(subscription_id is null or coalesce(
  (${stored(limitSettings.name)}->>'countPlanServers')::boolean,
  ${sql.raw(String(limitSettings.initial.countPlanServers))}))`
const live = sql.raw(LIVE_STATUSES.map((status) => `'${status}'`).join(', '))

const FIELDS = [
  'settings',
  'defaults',
  'plans',
  'servers',
  'running',
  'memory',
  'cpu',
  'disk',
  'topMemory',
  'topCpu',
  'topDisk',
  'ports',
] as const satisfies readonly (keyof StandingRow)[]

/** One row with these fields, in their order. */
const standing = (ownerId: SQL): SQL => sql`
  select ${stored(limitSettings.name)}, ${stored(limitDefaults.name)},
    coalesce((select json_agg(json_build_object('plan', p.name, 'limits', p.limits)
        order by own.created_at, own.id)
      from subscriptions own join plans p on p.id = own.plan_id
      where own.user_id = ${ownerId} and p.kind = 'account' and own.status in (${live})), '[]'::json),
    count(*)::int, count(*) filter (where desired_power = 'on')::int,
    coalesce(sum(memory_mb), 0)::int8, coalesce(sum(cpu_percent), 0)::int8,
    coalesce(sum(disk_mb), 0)::int8, coalesce(max(memory_mb), 0), coalesce(max(cpu_percent), 0),
    coalesce(max(disk_mb), 0),
    (select count(*)::int from server_ports p join servers o on o.id = p.server_id
      where o.owner_id = ${ownerId} and p.offset >= 1 and ${counted})
  from servers where owner_id = ${ownerId} and ${counted}`

const standingRow = prepared<StandingRow, { ownerId: string }>(
  FIELDS,
  statement(standing(sql`${sql.placeholder('ownerId')}::uuid`)),
)

/** What the limits of a customer follow from, as stored. */
export interface Stored {
  readonly settings: unknown
  readonly defaults: unknown
  /** Live account plans, the oldest subscription first. */
  readonly plans: readonly AccountPlan[]
  /**
   * What the customer's servers take, stopped ones and those being deleted included. Servers that came
   * with a plan belong to the plan and count only where the settings say so.
   */
  readonly usage: Usage
}

/** Settings, plans and usage of a customer as they are now, in one statement. */
export async function readStanding(db: Db, ownerId: string): Promise<Stored> {
  const [row] = await standingRow(db, { ownerId })
  if (!row) throw new Error('an aggregate always has one row')
  return standingFrom(row)
}

const standingFrom = (row: StandingRow): Stored => ({
  settings: row.settings,
  defaults: row.defaults,
  plans: row.plans,
  usage: {
    servers: row.servers,
    running: row.running,
    memoryMb: row.memory,
    cpuPercent: row.cpu,
    diskMb: row.disk,
    largest: { memoryMb: row.topMemory, cpuPercent: row.topCpu, diskMb: row.topDisk },
    extraPorts: row.ports,
  },
})

/** What only the view shows beside the usage: figures that no creation asks for. */
export interface Beside {
  /** People and open invitations of the server that has the most. */
  readonly mostPeople: number
  /** Copies of servers, which are snapshots of machines; and those of the server that has the most. */
  readonly backups: number
  readonly mostBackups: number
  readonly backupStorageMb: number
  /** Servers that came with a plan. */
  readonly planServers: number
}

interface BesideRow extends Record<string, unknown> {
  readonly people: number
  readonly planServers: number
  readonly backups: number
  readonly most: number
  readonly storage: number
}

/** Copies by server. Those of servers that came with a plan count as the servers themselves do. */
const copies = (ownerId: SQL): SQL => sql`
  copies as (
    select s.id as server, count(*) as count, coalesce(sum(c.reserved_mb), 0) as storage,
      s.subscription_id
    from vm_snapshots c join servers s on s.id = c.server_id
    where s.owner_id = ${ownerId} and ${counted}
    group by s.id)`

const beside = (ownerId: SQL): SQL => sql`
  with ${copies(ownerId)}
  select coalesce((select sum(count) from copies), 0)::int as backups,
    coalesce((select max(count) from copies where subscription_id is null), 0)::int as most,
    coalesce((select sum(storage) from copies), 0)::int8 as storage,
    coalesce((select max(
      (select count(*) from server_collaborators c where c.server_id = s.id)
      + (select count(*) from server_invitations i where i.server_id = s.id and i.expires_at > now()))
    from servers s where s.owner_id = ${ownerId} and s.subscription_id is null), 0)::int as people,
    (select count(*) from servers s
      where s.owner_id = ${ownerId} and s.subscription_id is not null)::int as "planServers"`

const besideFrom = (row: BesideRow | undefined): Beside => ({
  mostPeople: row?.people ?? 0,
  backups: row?.backups ?? 0,
  mostBackups: row?.most ?? 0,
  backupStorageMb: row?.storage ?? 0,
  planServers: row?.planServers ?? 0,
})

/** What a customer has of copies, counted as the view counts it, and one of their servers by itself. */
export async function copiesOf(
  db: Db,
  ownerId: string,
  serverId: string,
): Promise<{ count: number; ofServer: number; storageMb: number }> {
  const { rows } = await db.execute<{ count: number; own: number; storage: number }>(sql`
    with ${copies(sql`${ownerId}::uuid`)}
    select coalesce(sum(count), 0)::int as count,
      coalesce(sum(count) filter (where server = ${serverId}::uuid), 0)::int as own,
      coalesce(sum(storage), 0)::int8 as storage
    from copies`)
  const [row] = rows
  return { count: row?.count ?? 0, ofServer: row?.own ?? 0, storageMb: Number(row?.storage ?? 0) }
}

export async function readBeside(db: Db, ownerId: string): Promise<Beside> {
  const { rows } = await db.execute<BesideRow>(beside(sql`${ownerId}::uuid`))
  return besideFrom(rows[0])
}

/** Both of many customers, by their ids, in one statement. */
export async function readStandings(
  db: Db,
  ownerIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly stored: Stored; readonly beside: Beside }>> {
  const names = sql.raw(FIELDS.map((name) => `"${name}"`).join(', '))
  const { rows } = await db.execute<{ id: string } & StandingRow & BesideRow>(sql`
    select given.id, standing.*, beside.*
    from unnest(${`{${ownerIds.join(',')}}`}::uuid[]) as given(id),
      lateral (${standing(sql`given.id`)}) as standing(${names}),
      lateral (${beside(sql`given.id`)}) as beside`)
  return new Map(
    rows.map((row) => [row.id, { stored: standingFrom(row), beside: besideFrom(row) }]),
  )
}

/** The part of the usage that a limit counts; 0 for what this installation has none of yet. */
export function usedOf(usage: Usage, beside: Beside, key: NumberKey): number {
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
    maxServerCollaborators: beside.mostPeople,
    maxBackups: beside.backups,
    maxServerBackups: beside.mostBackups,
    maxBackupStorageMb: beside.backupStorageMb,
  }
  return by[key] ?? 0
}
