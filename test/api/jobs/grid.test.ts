import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { JOB_KINDS } from '@lodge/shared/job-kinds.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { modules } from '../../../control-plane/src/modules.ts'
import { lengthOf } from '../../run/lengths.ts'
import { startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected, machineNode, natNetwork, serveFiles } from '../../support/vm-world.ts'
import type { Prepared, World } from './example-things.ts'
import { EXAMPLES, OTHER_EXAMPLES } from './examples.ts'
import { type Fault, FaultySteps, faultsOf, goesBack } from './faults.ts'
import { partOf, readSlate, type Slate } from './slate.ts'

const sagas = modules.flatMap(({ sagas = [] }) => sagas)
const cases = [
  ...sagas.map((saga) => [saga.name, saga, EXAMPLES[saga.name]] as const),
  ...OTHER_EXAMPLES.map(([title, name, example]) => {
    const saga = sagas.find((one) => one.name === name)
    if (!saga) throw new Error(`there is no saga ${name}`)
    return [title, saga, example] as const
  }),
]

let world: World
let faulty: FaultySteps
let folder: string
let waking: NodeJS.Timeout
beforeAll(async () => {
  const files = await serveFiles()
  folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-grid-'))
  const caFile = path.join(folder, 'ca.pem')
  await writeFile(caFile, files.authority)
  const egress = { LODGE_EGRESS_HOSTS: files.host, LODGE_EGRESS_CA: caFile }
  const lodge = await startLodge({
    environment: {
      ...egress,
      LODGE_MEDIA: path.join(folder, 'media'),
      LODGE_AGENT_FOLDER: path.join(folder, 'program'),
    },
  })
  // Each case has servers of its own, and none is removed before the last one.
  const size = { cpuPercent: 25_600 }
  const here = await machineNode(lodge, size, {}, egress)
  const storage = path.join(folder, 'storage')
  await mkdir(path.join(storage, 'lodge'), { recursive: true })
  const shared = { LODGE_AGENT_SHARED_STORAGES: `fast=${storage}` }
  const there = await machineNode(lodge, size, {}, shared)
  // Both nodes find each other's repositories, as if one stored them.
  const { repositories } = here.agent.driver.runtime
  Object.assign(there.agent.driver.runtime, { repositories })
  world = {
    lodge,
    files,
    folder,
    admin: await lodge.admin(),
    owner: await lodge.customer(),
    here: here.agent,
    there: there.agent,
    networkId: (await natNetwork(lodge, { size: 240 })).id,
  }
  faulty = new FaultySteps(sagas)
  // Retries are due immediately: their backoff is tested elsewhere.
  waking = setInterval(() => {
    void lodge.database.pool
      .query('update job_dispatch set due_at = now() where worker is null and due_at > now()')
      .catch(() => undefined)
  }, 50)
})
afterAll(async () => {
  clearInterval(waking)
  faulty?.restore()
  await world?.here[Symbol.asyncDispose]()
  await world?.there[Symbol.asyncDispose]()
  await world?.lodge[Symbol.asyncDispose]()
  await world?.files[Symbol.asyncDispose]()
  await rm(folder, { recursive: true, force: true })
})

interface Case extends Prepared {
  /** Absent in the case that the others are compared with. */
  readonly fault?: Fault
}

const slateNow = () => readSlate(world.lodge.database.pool, [world.here, world.there], folder)

async function ended(jobId: string): Promise<string> {
  return until(async () => {
    const { rows } = await world.lodge.database.pool.query<{ state: string }>(
      'select state from jobs where id = $1 and ended_at is not null',
      [jobId],
    )
    return rows[0]?.state
  })
}

test('every saga has an example of its input and a declared kind', () => {
  const names = sagas.map(({ name }) => name).toSorted()
  expect(Object.keys(EXAMPLES).toSorted()).toEqual(names)
  expect(names.filter((name) => !(name in JOB_KINDS))).toEqual([])
})

test.each(cases)(
  '%s leaves a clean slate or its whole result, whatever step fails, is killed, or cannot be undone',
  { timeout: 240_000 },
  async (name, saga, example) => {
    if (!example) throw new Error(`${name} has no example`)
    const faults = [undefined, ...faultsOf({ ...saga, name }, lengthOf('LODGE_SAGA_FAULTS'))]
    const batches = example.alone ? faults.map((fault) => [fault]) : [faults]
    const differences: string[] = []
    const whole: { before: string[]; after: string[] }[] = []
    for (const batch of batches) {
      // A busy machine stalls them all, and a node that is silent too long is disconnected.
      for (const { nodeId } of [world.here, world.there]) await connected(world.lodge, nodeId)
      const cases = await Promise.all(
        batch.map(async (fault): Promise<Case> => {
          const prepared = await example.prepare(world, fault !== undefined && goesBack(fault))
          if (fault) faulty.mark(prepared.id, saga, fault)
          return { ...prepared, ...(fault && { fault }) }
        }),
      )
      const before = await slateNow()
      const states = await Promise.all(cases.map(async ({ begin }) => ended(await begin())))
      await Promise.all(cases.map(async ({ settled }) => await settled?.()))
      const after = await slateNow()
      for (const [at, one] of cases.entries()) {
        const found = judge(one, states[at] ?? '', before, after)
        if (found) differences.push(found)
        faulty.unmark(one.id)
      }
    }
    expect(differences).toEqual([])

    function judge(
      { fault, id, names }: Case,
      state: string,
      before: Slate,
      after: Slate,
    ): string | undefined {
      const [was, is] = [partOf(before, names), partOf(after, names)]
      if (!fault) {
        whole.push({ before: was, after: is })
        return state === 'done' ? undefined : `without a fault it ends as ${state}`
      }
      const title = `${fault.step} ${fault.kind}`
      const back = goesBack(fault)
      if (state !== (back ? 'failed' : 'done')) return `${title}: it ends as ${state}`
      const reached = fault.kind !== 'fails before its effect'
      // Undoing begins after the last step, which may be one that cannot be rolled back.
      const end = fault.kind.includes('undo') ? saga.steps.at(-1)?.name : fault.step
      // The effect of the step before was reached in any case.
      const sofar = saga.steps.slice(
        0,
        saga.steps.findIndex(({ name }) => name === end) + (reached ? 1 : 0),
      )
      const isFinal = back && sofar.some(({ name }) => example?.final?.includes(name))
      const expected = back && !isFinal ? was : (whole[0]?.after ?? [])
      const rest = back && example?.keeps ? partOf(after, names, example.keeps) : is
      const left = back && example?.leaves ? example.leaves(rest) : rest
      const more = left.filter((line) => !expected.includes(line))
      const less = expected.filter((line) => !left.includes(line))
      const again = faulty.begun.get(id) ?? []
      const forward = again.slice(again.findIndex((one) => one.startsWith('undo')))
      if (
        back &&
        forward.some((one) => one.startsWith('do')) &&
        again.some((one) => one.startsWith('undo'))
      )
        return `${title}: it went forward again: ${again.join(', ')}`
      if (more.length + less.length === 0) return undefined
      return [title, ...more.map((line) => `+ ${line}`), ...less.map((line) => `- ${line}`)].join(
        '\n',
      )
    }
  },
)

test('no case leaves anything when its machines are deleted', async () => {
  const { lodge, admin } = world
  // A server whose node is lost for good stays until the node answers.
  const nodes = [world.here.nodeId, world.there.nodeId]
  const left = () =>
    lodge.database.pool.query<{ id: string }>('select id from servers where node_id = any($1)', [
      nodes,
    ])
  const ids = (await left()).rows
  for (const { id } of ids) await admin.must('DELETE /api/servers/{id}', { params: { id } })
  await until(async () => {
    const { rows } = await lodge.database.pool.query(
      'select 1 from vm_moves union all select 1 from server_moves union all select 1 from storage_copies',
    )
    return rows.length === 0 && (await left()).rows.length === 0
  })
  const { tables, engines } = await slateNow()
  expect(engines.map((engine) => [...engine.keys()])).toEqual([[], []])
  for (const node of (tables.get('nodes') ?? []).filter(({ id }) => nodes.includes(String(id))))
    expect(node).toMatchObject({ allocated_memory_mb: 0, allocated_disk_mb: 0 })
  expect(tables.get('vm_snapshots')).toEqual([])
})
