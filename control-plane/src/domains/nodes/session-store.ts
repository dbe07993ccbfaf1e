import type { TransferReport } from '@lodge/shared/direct-transfers.ts'
import type { HardwareReport } from '@lodge/shared/hardware.ts'
import type { Heard } from '@lodge/shared/leases/acknowledgement.ts'
import { HOLDS_LEASES } from '@lodge/shared/node-abilities.ts'
import type { DriverState, PreflightCheck } from '@lodge/shared/nodes.ts'
import type { VirtualizationReport } from '@lodge/shared/virtualization.ts'
import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import type { Admission } from '../../fleet/handlers.ts'
import { type Detected, followDetected } from './detected.ts'
import { grantedTtl } from './lease-store.ts'
import { lockNode } from './store.ts'
import { nodeReports, nodes } from './tables.ts'

// What agents report about themselves, for many nodes per statement. Rows that others may lock too
// are locked in the order of their ids, to prevent deadlocks.

const GRANTED_TTL_MS = sql.raw(grantedTtl('n'))

interface Credential {
  readonly hash: Buffer
  /** Incremented with each credential of a node. */
  readonly epoch: number
}

/** The credentials of those nodes that have one. */
export async function currentCredentials(
  db: Db,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Credential>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .select({ id: nodes.id, hash: nodes.credentialHash, epoch: nodes.epoch })
    .from(nodes)
    .where(sql`${nodes.id} = any(${list(ids)}::uuid[])`)
  return new Map(
    rows.flatMap(({ id, hash, epoch }) => (hash ? [[id, { hash, epoch }] as const] : [])),
  )
}

/** @returns the epoch of the new credential */
export async function replaceCredential(
  db: Db,
  id: string,
  given: { credentialHash: Buffer; agentVersion: string; remoteAddress: string },
): Promise<number> {
  const [row] = await db
    .update(nodes)
    .set({
      ...given,
      epoch: sql`${nodes.epoch} + 1`,
      revision: sql`${nodes.revision} + 1`,
    })
    .where(eq(nodes.id, id))
    .returning({ epoch: nodes.epoch })
  if (!row) throw new Error(`the node ${id} is gone`)
  return row.epoch
}

interface ArrivalRow {
  readonly id: string
  readonly sessionId: string
  readonly instanceId: string
  readonly address: string | null
  readonly bootId: string
  readonly agentVersion: string
  readonly agentBuild: string | null
  readonly capabilities: readonly string[]
  readonly preflight: readonly PreflightCheck[]
  readonly drivers: readonly DriverState[]
  readonly virtualization: VirtualizationReport | null
  readonly hardware: HardwareReport | null
  readonly transfers: TransferReport | null
  readonly newestReport: number
  /** What servers may use of the machine; absent if it does not report it. */
  readonly memoryMb?: number
  readonly cpuPercent?: number
  readonly diskMb?: number
}

/** Makes these sessions the only ones of their nodes; skips removed nodes. */
export async function arrive(
  db: Db,
  arrivals: readonly ArrivalRow[],
): Promise<ReadonlyMap<string, Admission>> {
  const { rows } = await db.execute<{
    id: string
    epoch: number
    through: number
    mode: Admission['mode']
    fenced: boolean
    ranges: { from: number; to: number }[]
  }>(sql`
    with given as (
      select * from jsonb_to_recordset(${JSON.stringify(arrivals)}::jsonb) as g(
        id uuid, "sessionId" uuid, "instanceId" uuid, address text, "bootId" text,
        "agentVersion" text, "agentBuild" text, capabilities jsonb, preflight jsonb, drivers jsonb,
        virtualization jsonb, hardware jsonb, transfers jsonb, "newestReport" bigint,
        "memoryMb" int, "cpuPercent" int, "diskMb" int)),
    held as materialized (
      select id from nodes where id in (select id from given) order by id for no key update),
    updated as (
      update nodes n set session_id = g."sessionId", instance_id = g."instanceId",
        connected_at = clock_timestamp(), last_seen_at = clock_timestamp(),
        inventory_taken = false,
        -- An agent without leases could never prove anything.
        fenced_at = case when g.capabilities ? ${HOLDS_LEASES} then n.fenced_at end, newest_report = g."newestReport", boot_id = g."bootId",
        agent_version = g."agentVersion", agent_build = g."agentBuild", preflight = g.preflight, drivers = g.drivers,
        -- What it found out before holds until it has looked again.
        virtualization = case when g.capabilities ? 'machine'
          then coalesce(nullif(g.virtualization, 'null'::jsonb), n.virtualization) end,
        hardware = nullif(g.hardware, 'null'::jsonb),
        transfers = nullif(g.transfers, 'null'::jsonb),
        ${sql.raw(followDetected('g'))},
        renew_seq = n.renew_seq + 1,
        capabilities = array(select jsonb_array_elements_text(g.capabilities)),
        remote_address = coalesce(g.address, n.remote_address), revision = n.revision + 1
      from given g join held on held.id = g.id where n.id = g.id returning n.id, n.epoch,
        n.port_ranges, n.failover_mode, n.fenced_at),
    counted as (
      insert into node_reports (node_id) select id from updated order by id on conflict do nothing)
    select updated.id, updated.epoch, updated.port_ranges as ranges,
      case when failover_mode = 'auto' then 'auto' else 'pinned' end as mode,
      fenced_at is not null as fenced,
      coalesce(through, 0)::bigint as through
    from updated left join node_reports on node_id = updated.id`)
  return new Map(
    rows.map(({ id, epoch, through, ranges, mode, fenced }) => [
      id,
      { epoch, reportThrough: Number(through), portRanges: ranges, mode, fenced },
    ]),
  )
}

/**
 * Records that these nodes have reported their inventory.
 * @returns those that had not since they connected
 */
export async function takeInventory(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with held as materialized (
      select id from nodes where id = any(${list(ids)}::uuid[]) and not inventory_taken
      order by id for no key update)
    update nodes set inventory_taken = true from held where nodes.id = held.id returning nodes.id`)
  return rows.map(({ id }) => id)
}

/**
 * Ends sessions that are still current.
 * @returns the ids of their nodes
 */
export async function leave(
  db: Db,
  sessions: readonly { readonly nodeId: string; readonly sessionId: string }[],
): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    with held as materialized (
      select n.id from nodes n
        join unnest(${list(sessions.map((one) => one.nodeId))}::uuid[],
          ${list(sessions.map((one) => one.sessionId))}::uuid[]) as g(id, session)
        on n.id = g.id and n.session_id = g.session
      order by n.id for no key update of n)
    update nodes set session_id = null, instance_id = null, connected_at = null,
      revision = revision + 1
    from held where nodes.id = held.id returning nodes.id`)
  return rows.map(({ id }) => id)
}

/** PostgreSQL's code of a lock that did not become free within `LOCK_TIMEOUT`. */
export const NOT_IN_TIME = '55P03'
/** Less than the time between two heartbeats, since those of other nodes may wait for their turn. */
const LOCK_TIMEOUT = '2s'

/** Locks a node's row, after those who wait for it already. @throws NOT_IN_TIME */
export async function lockInTurn(db: Db, id: string): Promise<void> {
  await db.execute(sql.raw(`set local lock_timeout = '${LOCK_TIMEOUT}'`))
  await lockNode(db, id)
}

/**
 * Records heartbeats. Skips locked rows, so that one node keeps up no others. The update that raises
 * the counter also grants the lease, and checks the session: a takeover committed since the statement
 * began must not be answered with a lease.
 * @returns the nodes whose session it was when the statement began
 */
export async function hear(
  db: Db,
  beats: readonly {
    readonly id: string
    readonly sessionId: string
    readonly preflight: readonly PreflightCheck[] | null
    readonly drivers: readonly DriverState[] | null
    readonly virtualization: VirtualizationReport | null
    readonly hardware: HardwareReport | null
    readonly transfers: TransferReport | null
    readonly detected: Detected | undefined
    readonly leaseWanted: boolean
  }[],
): Promise<ReadonlyMap<string, Exclude<Heard, { kind: 'superseded' }>>> {
  const documents = (values: readonly unknown[]) =>
    sql.param(values.map((value) => value && JSON.stringify(value)))
  const sizes = (field: keyof Detected) =>
    sql.param(beats.map(({ detected }) => detected?.[field] ?? null))
  const { rows } = await db.execute<{
    id: string
    recorded: boolean
    epoch: number
    ttlMs: number | null
  }>(sql`
    with given as materialized (
      select n.id, g.session, g.wanted, g.preflight, g.drivers, g.virtualization, g.hardware,
        g.transfers, g."memoryMb", g."cpuPercent", g."diskMb" from nodes n
        join unnest(${list(beats.map((beat) => beat.id))}::uuid[],
          ${list(beats.map((beat) => beat.sessionId))}::uuid[],
          ${list(beats.map((beat) => beat.leaseWanted))}::boolean[],
          ${documents(beats.map(({ preflight }) => preflight))}::jsonb[],
          ${documents(beats.map(({ drivers }) => drivers))}::jsonb[],
          ${documents(beats.map(({ virtualization }) => virtualization))}::jsonb[],
          ${documents(beats.map(({ hardware }) => hardware))}::jsonb[],
          ${documents(beats.map(({ transfers }) => transfers))}::jsonb[],
          ${sizes('memoryMb')}::int[], ${sizes('cpuPercent')}::int[], ${sizes('diskMb')}::int[])
          as g(id, session, wanted, preflight, drivers, virtualization, hardware,
            transfers, "memoryMb", "cpuPercent", "diskMb")
        on n.id = g.id and n.session_id = g.session),
    free as materialized (
      select id from nodes where id in (select id from given) for no key update skip locked),
    heard as (
      update nodes n set last_seen_at = clock_timestamp(),
        preflight = coalesce(given.preflight, n.preflight),
        drivers = coalesce(given.drivers, n.drivers),
        virtualization = coalesce(given.virtualization, n.virtualization),
        hardware = coalesce(given.hardware, n.hardware),
        transfers = coalesce(given.transfers, n.transfers),
        ${sql.raw(followDetected('given'))},
        renew_seq = n.renew_seq + 1,
        lease_longest_ttl_ms = greatest(n.lease_longest_ttl_ms, ${GRANTED_TTL_MS})
      from given join free on free.id = given.id
      where n.id = given.id and n.session_id = given.session
      returning n.id, n.epoch, case when given.wanted and n.fenced_at is null
        and ${HOLDS_LEASES} = any(n.capabilities) then ${GRANTED_TTL_MS} end as ttl_ms)
    select given.id, heard.id is not null as recorded, heard.epoch, heard.ttl_ms as "ttlMs"
    from given left join heard on heard.id = given.id`)
  return new Map(
    rows.map(({ id, recorded, epoch, ttlMs }) => {
      const lease = ttlMs === null ? null : { epoch, ttlMs }
      return [id, recorded ? { kind: 'recorded', lease } : { kind: 'later' }] as const
    }),
  )
}

/**
 * Advances these nodes' report numbers. The rows stay locked until the transaction ends.
 * @returns per existing node, the number applied before
 */
export async function advanceReports(
  db: Db,
  through: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, number>> {
  const ids = list([...through.keys()])
  const { rows } = await db.execute<{ id: string; before: number }>(sql`
    with held as materialized (
      select node_id, through from node_reports where node_id = any(${ids}::uuid[])
      order by node_id for update),
    advanced as (
      update node_reports r set through = g.through
      from unnest(${ids}::uuid[], ${list([...through.values()])}::bigint[]) as g(id, through)
        join held on held.node_id = g.id
      where r.node_id = g.id and r.through < g.through)
    select node_id as id, through as before from held`)
  return new Map(rows.map(({ id, before }) => [id, Number(before)]))
}

/** Restarts the node's report numbers. */
export async function forgetReports(db: Db, nodeId: string): Promise<void> {
  await db.delete(nodeReports).where(eq(nodeReports.nodeId, nodeId))
}

/** PostgreSQL's text form of an array of ids, numbers or truths. */
const list = (values: readonly (string | number | boolean)[]): string => `{${values.join(',')}}`
