import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { until } from '../../support/until.ts'
import { type BehindHaproxy, behindHaproxy } from './behind-haproxy.ts'
import { areGuarded, busiest, runsTwice } from './guarded-fleet.ts'
import { lose, promote } from './standby.ts'

const SETTLED_MS = 120_000

/** A client that renames a server all the time, and remembers what was acknowledged. */
class Renaming {
  /** Responses other than an acknowledgement. */
  readonly failed: number[] = []
  #promised = ''
  #unknown: string[] = []
  #promises = 0
  #isOver = false
  readonly #done: Promise<void>
  readonly #world: BehindHaproxy
  readonly #id: string

  constructor(world: BehindHaproxy, id: string) {
    this.#world = world
    this.#id = id
    this.#done = this.#go()
  }

  async #go(): Promise<void> {
    while (!this.#isOver) {
      const name = `named ${randomUUID()}`
      const { status } = await this.#world.admin.call('PATCH /api/servers/{id}', {
        params: { id: this.#id },
        body: { name },
      })
      if (status === 200) {
        this.#promised = name
        this.#unknown = []
        this.#promises += 1
      } else {
        this.failed.push(status)
        this.#unknown.push(name)
      }
      await pause(20)
    }
  }

  /** Returns once this many more requests have been acknowledged. */
  async promises(more: number): Promise<void> {
    const wanted = this.#promises + more
    await until(() => this.#promises >= wanted, SETTLED_MS)
  }

  async isKept(): Promise<boolean> {
    const { rows } = await this.#world.pool.query('select name from servers where id = $1', [
      this.#id,
    ])
    return [this.#promised, ...this.#unknown].includes(rows[0].name)
  }

  async end(): Promise<void> {
    this.#isOver = true
    await this.#done
  }
}

test('two control planes behind a proxy are updated without a failed request, and lose nothing with one of them or with their PostgreSQL', {
  tags: 'long',
  timeout: 900_000,
}, async () => {
  await using world = await behindHaproxy()
  const { admin, fleet, instances, pool } = world
  const settled = () =>
    until(async () => {
      const { status, body } = await admin.call('GET /api/failover/status')
      await fleet.tidy().catch(() => undefined)
      return status === 200 && areGuarded(body.nodes, fleet.servers) ? body : undefined
    }, SETTLED_MS)
  await settled()
  const [serverId = ''] = fleet.servers
  const renaming = new Renaming(world, serverId)
  await renaming.promises(20)

  // As for an update, one after the other.
  for (const one of instances) {
    await one.stop()
    await renaming.promises(50)
    await one.start()
    await renaming.promises(50)
  }
  expect(renaming.failed, world.proxy.said()).toEqual([])
  await settled()

  // Without notice: requests in flight to it may fail, but none after that.
  await instances[0]?.kill()
  await renaming.promises(50)
  expect(renaming.failed.length).toBeLessThan(10)
  await instances[0]?.start()
  await settled()
  expect(await renaming.isKept()).toBe(true)

  // A node is lost.
  const before = await fleet.takeovers()
  const lost = busiest((await settled()).nodes, fleet)
  lost?.line.cut(['out', 'in'])
  await until(async () => (await fleet.takeovers()) > before, SETTLED_MS)
  lost?.line.mend()
  await settled()
  const runsBefore = fleet.servers.flatMap((id) => fleet.runsOf(id)).length

  // PostgreSQL is lost with its machine. Until its standby is promoted nothing can be acknowledged.
  await lose(world.primary)
  await until(() => renaming.failed.length > 10, SETTLED_MS)
  await promote(world.standby)
  await renaming.promises(50)
  await settled()
  expect(await renaming.isKept()).toBe(true)
  const { rows } = await pool.query('select set_backs, timeline from database_lineage')
  expect(rows).toEqual([{ set_backs: 1, timeline: 2 }])
  // Nothing was lost, so nobody has to decide anything, and no server was affected.
  expect(await admin.must('GET /api/set-back')).toMatchObject({ findings: [] })
  expect(fleet.servers.flatMap((id) => fleet.runsOf(id))).toHaveLength(runsBefore)

  await renaming.end()
  expect(await renaming.isKept()).toBe(true)
  expect(runsTwice(fleet)).toEqual([])
})
