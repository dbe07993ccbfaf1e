import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { UUID } from '../../http/authorize.ts'
import { textArray } from './series.ts'

/** A server on the node that reports it. */
export interface Placed {
  /** Key of its figures. */
  readonly key: number
  /** Time of the last displayed figures (ms), set by whoever displays them. */
  shownMs: number
}

const REMEMBERED_MS = 60_000

/**
 * Which servers are on which node, cached for a minute, because agents report the same ones every
 * few seconds. The node of a server that moved or was removed may add figures for up to a minute; a
 * node that never had it cannot.
 */
export class PlacedServers {
  readonly #nodes = new Map<string, { untilMs: number; servers: Map<string, Placed> }>()

  /** Loads the servers not cached yet, in one statement. */
  async learn(
    db: Db,
    named: Iterable<readonly [nodeId: string, serverIds: Iterable<string>]>,
    nowMs = performance.now(),
  ): Promise<void> {
    const unknown: { server: string; node: string }[] = []
    for (const [nodeId, serverIds] of named) {
      const known = this.#of(nodeId, nowMs)
      for (const id of serverIds)
        if (!known.has(id) && UUID.test(id)) unknown.push({ server: id, node: nodeId })
    }
    if (unknown.length === 0) return
    const { rows } = await db.execute<{ id: string; node: string; key: number }>(sql`
      select s.id, s.node_id as node, s.metric_key as key
      from unnest(${textArray(unknown.map((one) => one.server))}::uuid[],
          ${textArray(unknown.map((one) => one.node))}::uuid[]) as g(server, node)
        join servers s on s.id = g.server and s.node_id = g.node`)
    for (const { id, node, key } of rows)
      this.#of(node, nowMs).set(id, { key, shownMs: Number.NEGATIVE_INFINITY })
  }

  find(nodeId: string, serverId: string): Placed | undefined {
    return this.#nodes.get(nodeId)?.servers.get(serverId)
  }

  #of(nodeId: string, nowMs: number): Map<string, Placed> {
    const known = this.#nodes.get(nodeId)
    if (known && nowMs < known.untilMs) return known.servers
    if (this.#nodes.size % 1000 === 999) this.#forget(nowMs)
    const servers = new Map<string, Placed>()
    this.#nodes.set(nodeId, { untilMs: nowMs + REMEMBERED_MS, servers })
    return servers
  }

  #forget(nowMs: number): void {
    for (const [nodeId, { untilMs }] of this.#nodes)
      if (untilMs <= nowMs) this.#nodes.delete(nodeId)
  }
}
