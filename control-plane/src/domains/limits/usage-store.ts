import type { ServerTotals } from '@lodge/shared/limits/asks.ts'
import { type AccountPlan, LIVE_STATUSES } from '@lodge/shared/limits/effective.ts'
import type { LimitLayer, ListKey, NumberKey } from '@lodge/shared/limits/keys.ts'
import { type SQL, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { prepared, statement } from '../../db/prepared.ts'
import { limitDefaults, limitSettings } from './areas.ts'

const MIB = 1024 * 1024

export interface Usage extends ServerTotals {
  readonly running: number
  readonly extraPorts: number
  /** Size of the largest server, per resource. */
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
/** Whether servers that came with a plan count; falls back to the settings' default. */
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

const accountPlans = (ownerId: SQL): SQL => sql`
    coalesce((select json_agg(json_build_object('plan', p.name, 'limits', p.limits)
        order by own.created_at, own.id)
      from subscriptions own join plans p on p.id = own.plan_id
        join users u on u.id = own.user_id and u.state <> 'suspended'
      where own.user_id = ${ownerId} and p.kind = 'account' and own.status in (${live})), '[]'::json)`

/** One row with these fields, in order. */
const standing = (ownerId: SQL): SQL => sql`
  select ${stored(limitSettings.name)}, ${stored(limitDefaults.name)},
    ${accountPlans(ownerId)},
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

/** Everything a customer's limits are computed from, as stored. */
export interface Stored {
  readonly settings: unknown
  readonly defaults: unknown
  /** Active account plans, oldest subscription first. */
  readonly plans: readonly AccountPlan[]
  /**
   * Resources of the customer's servers, including stopped and deleting ones. Servers that came
   * with a plan count only if the settings say so.
   */
  readonly usage: Usage
}

/** What the limits of customers are, without what they use, in one statement. Administrators have none. */
export async function readLimits(
  db: Db,
  ownerIds: readonly string[],
): Promise<(Omit<Stored, 'usage'> & { readonly ownerId: string; readonly quota: LimitLayer })[]> {
  const { rows } = await db.execute<{
    ownerId: string
    quota: LimitLayer
    settings: unknown
    defaults: unknown
    plans: AccountPlan[]
  }>(sql`
    select owner.id as "ownerId", owner.quota, ${stored(limitSettings.name)} as settings,
      ${stored(limitDefaults.name)} as defaults, ${accountPlans(sql`owner.id`)} as plans
    from users owner where owner.id = any(${sql.param([...ownerIds])}::uuid[]) and owner.role <> 'admin'`)
  return rows
}

/** Settings, plans and usage of a customer, in one statement. */
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

/** Usage shown only in the view; no creation checks it. */
export interface ExtraUsage {
  /** People and open invitations of the server with the most. */
  readonly mostPeople: number
  /** Server copies (snapshots of machines), in total and of the server with the most. */
  readonly backups: number
  readonly mostBackups: number
  readonly backupStorageMb: number
  /** Schedules of the server with the most. */
  readonly mostSchedules: number
  /** Servers that came with a plan. */
  readonly planServers: number
  readonly attachedFilesMb: number
}

interface ExtraUsageRow extends Record<string, unknown> {
  readonly people: number
  readonly planServers: number
  readonly backups: number
  readonly most: number
  readonly storage: number
  readonly schedules: number
  readonly attachedBytes: number
}

/** Bytes of the files that somebody attached to messages, or is uploading. */
const attached = (ownerId: SQL): SQL => sql`
  select coalesce(sum(size_bytes), 0)::int8 from (
    select size_bytes from attachments where uploader_id = ${ownerId}
    union all
    select size_bytes from attachment_arrivals where uploader_id = ${ownerId}) attached`

/**
 * Copies per server: snapshots of machines, and backups that have not failed. For servers that came
 * with a plan they count like the servers themselves.
 */
const copies = (ownerId: SQL): SQL => sql`
  copies as (
    select s.id as server, count(*) as count, coalesce(sum(c.reserved_mb), 0) as storage,
      s.subscription_id
    from (
        select server_id, reserved_mb from vm_snapshots
        union all
        select server_id, reserved_mb from server_backups
          where state <> 'failed' and not by_host
      ) c join servers s on s.id = c.server_id
    where s.owner_id = ${ownerId} and ${counted}
    group by s.id)`

const extra = (ownerId: SQL): SQL => sql`
  with ${copies(ownerId)}
  select coalesce((select sum(count) from copies), 0)::int as backups,
    coalesce((select max(count) from copies where subscription_id is null), 0)::int as most,
    coalesce((select sum(storage) from copies), 0)::int8 as storage,
    coalesce((select max(
      (select count(*) from server_collaborators c where c.server_id = s.id)
      + (select count(*) from server_invitations i where i.server_id = s.id and i.expires_at > now()))
    from servers s where s.owner_id = ${ownerId} and s.subscription_id is null), 0)::int as people,
    coalesce((select max((select count(*) from schedules c where c.server_id = s.id))
      from servers s where s.owner_id = ${ownerId} and s.subscription_id is null), 0)::int
      as schedules,
    (select count(*) from servers s
      where s.owner_id = ${ownerId} and s.subscription_id is not null)::int as "planServers",
    (${attached(ownerId)}) as "attachedBytes"`

const extraUsageFrom = (row: ExtraUsageRow | undefined): ExtraUsage => ({
  mostPeople: row?.people ?? 0,
  backups: row?.backups ?? 0,
  mostBackups: row?.most ?? 0,
  mostSchedules: row?.schedules ?? 0,
  backupStorageMb: row?.storage ?? 0,
  planServers: row?.planServers ?? 0,
  attachedFilesMb: Math.ceil(Number(row?.attachedBytes ?? 0) / MIB),
})

/** A customer's copies, counted like in the view, and those of one server. */
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

/** The templates and locations of a customer's servers that their limits bind. */
export async function placesInUse(
  db: Db,
  ownerId: string,
): Promise<Readonly<Record<ListKey, readonly string[]>>> {
  const { rows } = await db.execute<{ templates: string[]; locations: string[] }>(sql`
    select coalesce(array_agg(distinct s.template_id::text), '{}') as templates,
      coalesce(array_agg(distinct n.location), '{}') as locations
    from servers s join nodes n on n.id = s.node_id
    where s.owner_id = ${ownerId}::uuid and s.subscription_id is null`)
  const [row] = rows
  return { allowedTemplates: row?.templates ?? [], allowedLocations: row?.locations ?? [] }
}

/** Bytes of the files that a customer attached to messages, or is uploading. */
export async function attachedBytesOf(db: Db, ownerId: string): Promise<number> {
  const { rows } = await db.execute<{ bytes: number }>(
    sql`select (${attached(sql`${ownerId}::uuid`)}) as bytes`,
  )
  return Number(rows[0]?.bytes ?? 0)
}

export async function readExtraUsage(db: Db, ownerId: string): Promise<ExtraUsage> {
  const { rows } = await db.execute<ExtraUsageRow>(extra(sql`${ownerId}::uuid`))
  return extraUsageFrom(rows[0])
}

/** Both for many customers by id, in one statement. */
export async function readStandings(
  db: Db,
  ownerIds: readonly string[],
): Promise<ReadonlyMap<string, { readonly stored: Stored; readonly extra: ExtraUsage }>> {
  const names = sql.raw(FIELDS.map((name) => `"${name}"`).join(', '))
  const { rows } = await db.execute<{ id: string } & StandingRow & ExtraUsageRow>(sql`
    select given.id, standing.*, extra.*
    from unnest(${`{${ownerIds.join(',')}}`}::uuid[]) as given(id),
      lateral (${standing(sql`given.id`)}) as standing(${names}),
      lateral (${extra(sql`given.id`)}) as extra`)
  return new Map(
    rows.map((row) => [row.id, { stored: standingFrom(row), extra: extraUsageFrom(row) }]),
  )
}

/** The usage that a limit counts; 0 for resources this installation does not have yet. */
export function usedOf(usage: Usage, extra: ExtraUsage, key: NumberKey): number {
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
    maxServerCollaborators: extra.mostPeople,
    maxServerSchedules: extra.mostSchedules,
    maxBackups: extra.backups,
    maxServerBackups: extra.mostBackups,
    maxBackupStorageMb: extra.backupStorageMb,
    maxAttachedFilesMb: extra.attachedFilesMb,
  }
  return by[key] ?? 0
}
