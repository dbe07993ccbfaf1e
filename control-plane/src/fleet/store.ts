import type pg from 'pg'
import { type Db, notify } from '../db/database.ts'
import { encodeAnnouncement } from './announcements.ts'

/**
 * Notifies every instance on commit that the desired state of a server may have changed. Call it in
 * the transaction that changes the desired state.
 * @param serverId if omitted, all desired states of the node are resent
 */
export async function announceDesired(db: Db, nodeId: string, serverId?: string): Promise<void> {
  const words = encodeAnnouncement({ kind: 'desired', nodeId, serverId })
  await notify(db, 'lodge_fleet', words)
}

type Queryable = Pick<pg.Pool, 'query'>

export interface QueuedTask {
  readonly id: string
  readonly nodeId: string
}

/** `returned`: queued again, because the stream that had it broke. */
type TaskState = 'queued' | 'running' | 'returned' | 'done'

/**
 * Errands between instances: a row is queued, then running at the instance with the stream, then
 * done.
 */
export const taskRows = {
  async queue(
    pool: Queryable,
    row: {
      id: string
      nodeId: string
      serverId: string | undefined
      work: Buffer
      timeoutMs: number
    },
  ): Promise<void> {
    await pool.query({
      name: 'fleet-task-queue',
      text: `insert into tasks (id, node_id, server_id, work, state, deadline)
        values ($1, $2, $3, $4, 'queued', clock_timestamp() + $5 * interval '1 millisecond')
        on conflict (id) do nothing`,
      values: [row.id, row.nodeId, row.serverId ?? null, row.work, row.timeoutMs],
    })
  },

  async queued(pool: Queryable): Promise<QueuedTask[]> {
    const { rows } = await pool.query<{ id: string; node_id: string }>({
      name: 'fleet-task-queued',
      text: `select id, node_id from tasks where state in ('queued', 'returned') order by created_at limit 500`,
    })
    return rows.map((row) => ({ id: row.id, nodeId: row.node_id }))
  },

  /**
   * @returns the work and the time left; undefined if another instance was first or the time is up
   */
  async claim(pool: Queryable, id: string): Promise<{ work: Buffer; leftMs: number } | undefined> {
    const { rows } = await pool.query<{ work: Buffer; left_ms: number }>({
      name: 'fleet-task-claim',
      text: `update tasks set state = 'running'
        where id = $1 and state in ('queued', 'returned') and deadline > clock_timestamp()
        returning work, (extract(epoch from deadline - clock_timestamp()) * 1000)::int as left_ms`,
      values: [id],
    })
    return rows[0] && { work: rows[0].work, leftMs: rows[0].left_ms }
  },

  async release(pool: Queryable, id: string): Promise<void> {
    await pool.query({
      name: 'fleet-task-release',
      text: `update tasks set state = 'returned' where id = $1 and state = 'running'`,
      values: [id],
    })
  },

  /** The same for all of these nodes that run, except some. */
  async releaseOf(
    pool: Queryable,
    nodeIds: readonly string[],
    except: readonly string[],
  ): Promise<void> {
    await pool.query({
      name: 'fleet-task-release-of',
      text: `update tasks set state = 'returned'
        where state = 'running' and node_id = any($1::uuid[]) and id <> all($2::uuid[])`,
      values: [nodeIds, except],
    })
  },

  async finish(pool: Queryable, id: string, result: Buffer): Promise<void> {
    await pool.query({
      name: 'fleet-task-finish',
      text: `update tasks set state = 'done', result = $2 where id = $1`,
      values: [id, result],
    })
  },

  async look(
    pool: Queryable,
    id: string,
  ): Promise<{ state: TaskState; result: Buffer | null } | undefined> {
    const { rows } = await pool.query<{
      state: TaskState
      result: Buffer | null
    }>({
      name: 'fleet-task-look',
      text: 'select state, result from tasks where id = $1',
      values: [id],
    })
    return rows[0]
  },

  /** @returns false if it is no longer in that state */
  async remove(pool: Queryable, id: string, onlyUnclaimed: boolean): Promise<boolean> {
    const { rowCount } = await pool.query({
      name: 'fleet-task-remove',
      text: `delete from tasks where id = $1 and (not $2::boolean or state in ('queued', 'returned'))`,
      values: [id, onlyUnclaimed],
    })
    return (rowCount ?? 0) > 0
  },

  /** Removes rows nobody waits for any more. */
  async sweep(pool: Queryable): Promise<void> {
    await pool.query({
      name: 'fleet-task-sweep',
      text: `delete from tasks where deadline < clock_timestamp() - interval '1 minute'`,
    })
  },
}
