import { and, asc, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { isDuplicate } from '../../db/fault.ts'
import { Problem } from '../../problem.ts'
import { nodes } from '../nodes/tables.ts'
import { type MoveRow, type SnapshotRow, vmBootGrants, vmMoves, vmSnapshots } from './tables.ts'

export const listSnapshots = (db: Db, serverId: string): Promise<SnapshotRow[]> =>
  db
    .select()
    .from(vmSnapshots)
    .where(eq(vmSnapshots.serverId, serverId))
    .orderBy(asc(vmSnapshots.createdAt), asc(vmSnapshots.id))

/** Locked until the transaction ends. */
export async function lockSnapshot(
  db: Db,
  serverId: string,
  id: string,
): Promise<SnapshotRow | undefined> {
  const [row] = await db
    .select()
    .from(vmSnapshots)
    .where(and(eq(vmSnapshots.id, id), eq(vmSnapshots.serverId, serverId)))
    .for('no key update')
  return row
}

/** Throws `duplicate` if the machine has a snapshot of that name. */
export async function insertSnapshot(db: Db, row: typeof vmSnapshots.$inferInsert): Promise<void> {
  try {
    await db.insert(vmSnapshots).values(row)
  } catch (error) {
    if (!isDuplicate(error, 'vm_snapshots_name')) throw error
    throw new Problem(
      'duplicate',
      `The machine already has a snapshot called ${row.name}: choose another name`,
      { fields: { errors: [{ pointer: '/name', detail: 'is taken' }] } },
    )
  }
}

export async function updateSnapshot(
  db: Db,
  id: string,
  change: Partial<SnapshotRow>,
): Promise<void> {
  await db.update(vmSnapshots).set(change).where(eq(vmSnapshots.id, id))
}

export async function deleteSnapshot(db: Db, id: string): Promise<void> {
  await db.delete(vmSnapshots).where(eq(vmSnapshots.id, id))
}

/** False if this request has been answered before. */
export async function insertGrant(db: Db, row: typeof vmBootGrants.$inferInsert): Promise<boolean> {
  const rows = await db
    .insert(vmBootGrants)
    .values(row)
    .onConflictDoNothing()
    .returning({ attempt: vmBootGrants.attempt })
  return rows.length > 0
}

/** Keeps the newest hundred per machine. */
export async function deleteOldGrants(db: Db): Promise<number> {
  const { rows } = await db.execute<{ count: number }>(sql`
    with old as (
      select attempt from (select attempt, row_number() over (partition by server_id order by at desc) as rank
        from vm_boot_grants) ranked where rank > 100 limit 5000),
    gone as (delete from vm_boot_grants where attempt in (select attempt from old) returning 1)
    select count(*)::int as count from gone`)
  return rows[0]?.count ?? 0
}

/**
 * Reads what a boot depends on with locks, so it cannot change before the decision is committed.
 */
export async function readForBoot(
  db: Db,
  serverId: string,
): Promise<
  | {
      nodeId: string
      ownerId: string
      subscriptionId: string | null
      generation: number
      desiredPower: string
      kind: string
      holds: { kind: string; since: Date }[]
    }
  | undefined
> {
  const { rows } = await db.execute<{
    node_id: string
    owner_id: string
    subscription_id: string | null
    placement_generation: number
    desired_power: string
    kind: string
  }>(sql`select node_id, owner_id, subscription_id, placement_generation, desired_power, kind from servers
    where id = ${serverId}::uuid for share`)
  const [row] = rows
  if (!row) return undefined
  const held = await db.execute<{ kind: string; since: Date | string }>(
    sql`select kind, since from server_holds where server_id = ${serverId}::uuid order by since for share`,
  )
  return {
    nodeId: row.node_id,
    ownerId: row.owner_id,
    subscriptionId: row.subscription_id,
    generation: row.placement_generation,
    desiredPower: row.desired_power,
    kind: row.kind,
    holds: held.rows.map(({ kind, since }) => ({ kind, since: new Date(since) })),
  }
}

/** Whether the machine was permitted to boot since its current placement began. */
export async function hasBooted(
  db: Db,
  serverId: string,
  placementGeneration: number,
): Promise<boolean> {
  const rows = await db
    .select({ attempt: vmBootGrants.attempt })
    .from(vmBootGrants)
    .where(
      and(
        eq(vmBootGrants.serverId, serverId),
        eq(vmBootGrants.placementGeneration, placementGeneration),
        eq(vmBootGrants.allowed, true),
      ),
    )
    .limit(1)
  return rows.length > 0
}

export async function findMove(db: Db, serverId: string): Promise<MoveRow | undefined> {
  const [row] = await db.select().from(vmMoves).where(eq(vmMoves.serverId, serverId))
  return row
}

export async function insertMove(db: Db, row: typeof vmMoves.$inferInsert): Promise<void> {
  await db.insert(vmMoves).values(row)
}

export async function updateMove(
  db: Db,
  serverId: string,
  change: Partial<MoveRow>,
): Promise<void> {
  await db.update(vmMoves).set(change).where(eq(vmMoves.serverId, serverId))
}

export async function deleteMove(db: Db, serverId: string): Promise<void> {
  await db.delete(vmMoves).where(eq(vmMoves.serverId, serverId))
}

/**
 * Former copies of machines that have booted elsewhere, the oldest first.
 * @param nodesThat a condition on rows of `nodes`
 */
export async function provenMoves(db: Db, nodesThat: string): Promise<MoveRow[]> {
  const rows = await db
    .select({ move: vmMoves })
    .from(vmMoves)
    .innerJoin(nodes, eq(nodes.id, vmMoves.otherNodeId))
    .where(sql`${vmMoves.provenAt} is not null and ${sql.raw(nodesThat)}`)
    .orderBy(vmMoves.provenAt, vmMoves.serverId)
    .limit(50)
  return rows.map(({ move }) => move)
}

/**
 * Marks moves whose machine has booted on its new node or is gone. A machine that is off again has
 * reported a boot after its permit.
 * @returns how many
 */
export async function markProven(db: Db): Promise<number> {
  const { rows } = await db.execute<{ id: string }>(sql`
    update vm_moves m set proven_at = now()
    where m.proven_at is null and (
      not exists (select 1 from servers s where s.id = m.server_id)
      or m.state = 'left' and exists (select 1 from servers s where s.id = m.server_id
        and s.node_id <> m.other_node_id
        and (s.observed_state = 'running' and s.observed_generation >= m.since_generation
          or exists (select 1 from server_events e join vm_boot_grants g on g.server_id = e.server_id
            where e.server_id = s.id and e.kind in ('started', 'restarted') and e.at >= g.at
              and g.allowed and g.placement_generation = s.placement_generation))))
    returning m.server_id as id`)
  return rows.length
}

/**
 * Whether a machine on the node, or one moving there, uses a medium in its drive or as its image.
 */
export async function needsMedium(db: Db, nodeId: string, sha256: string): Promise<boolean> {
  const { rows } = await db.execute<{ found: number }>(sql`
    select 1 as found from vm_media medium
    join machines on machines.medium_id = medium.id or machines.image_id = medium.id
    join servers on servers.id = machines.server_id
    left join vm_moves move on move.server_id = servers.id
    where medium.sha256 = ${sha256} and medium.kept
      and (servers.node_id = ${nodeId}::uuid or move.other_node_id = ${nodeId}::uuid)
    limit 1`)
  return rows.length > 0
}
