import { sql } from 'drizzle-orm'
import type { Db } from '../../db/database.ts'
import { UUID } from '../../http/authorize.ts'
import { textArray } from './series.ts'

/** A server on the node that speaks of it. */
export interface Placed {
  /** Key of its figures. */
  readonly key: number
  /** Time of the figures that were shown last (ms), written by whoever shows them. */
  shownMs: number
}

const REMEMBERED_MS = 60_000

/**
 * Which servers are on which node, remembered for a minute, since agents tell of the same ones every
 * few seconds. A server that has moved or gone meanwhile may get a minute of figures from the node
 * that had it; one that a node never had gets none.
 */
export class PlacedServers {
  readonly #nodes = new Map<string, { untilMs: number; servers: Map<string, Placed> }>()

  /** Learns of the servers that are not known yet; one statement for all. */
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
