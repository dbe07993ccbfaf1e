import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { TwoControlPlanes } from './two-control-planes.ts'

const EVERY_MS = 150

/** Clients who rename and restart servers all the time, and remember what was acknowledged. */
export class Clients {
  calls = 0
  /** Accepted jobs. */
  readonly jobs = new Set<string>()
  readonly #world: TwoControlPlanes
  readonly #random: () => number
  /** The last acknowledged name, and those sent since whose response is unknown. */
  readonly #names = new Map<string, string[]>()

  constructor(world: TwoControlPlanes, random: () => number) {
    this.#world = world
    this.#random = random
  }

  async work(isOver: () => boolean): Promise<void> {
    await Promise.all(this.#world.fleet.servers.map((id) => this.#workWith(id, isOver)))
  }

  async #workWith(id: string, isOver: () => boolean): Promise<void> {
    const { instances } = this.#world
    while (!isOver()) {
      const { admin } = instances[this.#random() < 0.5 ? 0 : 1]
      this.calls += 1
      if (this.#random() < 0.03) {
        const body = { action: 'restart' as const }
        const { status, body: reply } = await admin.call('POST /api/servers/{id}/actions', {
          ...{ params: { id }, body },
        })
        if (status === 202) this.jobs.add(reply.jobId)
      } else {
        const name = `named ${randomUUID()}`
        const params = { id }
        const { status } = await admin.call('PATCH /api/servers/{id}', { params, body: { name } })
        const isPromised = status >= 200 && status < 300
        this.#names.set(id, isPromised ? [name] : [...(this.#names.get(id) ?? []), name])
      }
      await pause(EVERY_MS)
    }
  }

  /** Acknowledged changes that were lost. */
  async broken(): Promise<string[]> {
    const { pool } = this.#world
    const broken: string[] = []
    for (const [id, possible] of this.#names) {
      const { rows } = await pool.query('select name from servers where id = $1', [id])
      if (!possible.includes(rows[0]?.name)) broken.push(`${id} is named ${rows[0]?.name}`)
    }
    const { rows } = await pool.query<{ id: string }>(
      'select id from jobs where id = any($1::uuid[])',
      [[...this.jobs]],
    )
    const kept = new Set(rows.map(({ id }) => id))
    for (const id of this.jobs) if (!kept.has(id)) broken.push(`the job ${id} is lost`)
    return broken
  }

  /** The number of accepted jobs that have not ended. */
  async open(): Promise<number> {
    const { rows } = await this.#world.pool.query(
      'select count(*)::int as count from jobs where ended_at is null and id = any($1::uuid[])',
      [[...this.jobs]],
    )
    return rows[0].count
  }
}
