import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { cpuMicrosOf, residentMb } from '../measure/cpu.ts'
import { interleave, median, medianRatio } from '../measure/rounds.ts'
import type { Bench, Finding, Row } from '../row.ts'
import { startAgent } from '../stage/agent.fixture.ts'
import { startControlPlane } from '../stage/control-plane.ts'
import type { Database } from '../stage/database.ts'
import { insertFleet, insertServers } from '../stage/fleet-rows.ts'
import { Line, requestBytes } from '../stage/http-load.ts'
import { repository, startProgram } from '../stage/program.ts'
import { ourSide } from '../stage/sides.ts'

interface Start {
  readonly milliseconds: number
  readonly cpuMilliseconds: number
}

/** From exec to the first success of /ready, with ten thousand servers and current migrations. */
export const coldstart: Row = {
  number: 20,
  name: 'coldstart',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const { templateId } = await insertFleet(database.pool, { nodes: 100 })
    await insertServers(database.pool, { templateId, from: 0, to: 10_000 })
    const main = await bundled(bench)
    const starts = await interleave(bench.long ? 9 : 5, {
      hello: hello,
      source: () => coldStart(database, undefined),
      bundle: () => coldStart(database, main),
    })
    const detail = (name: 'hello' | 'source' | 'bundle') => ({
      'wall ms': median(starts[name].map((start) => start.milliseconds)),
      'cpu ms': median(starts[name].map((start) => start.cpuMilliseconds)),
    })
    return [
      {
        what: 'bundle: CPU until ready / bare fastify until ready',
        value: medianRatio(starts.bundle, starts.hello, (start) => start.cpuMilliseconds),
        unit: 'x',
        target: { atMost: 3 },
        detail: { ...detail('bundle'), 'hello cpu ms': detail('hello')['cpu ms'] },
      },
      {
        what: 'bundle: exec to first answer',
        value: detail('bundle')['wall ms'],
        unit: 'ms',
        target: { atMost: 400 },
      },
      {
        what: 'source: exec to first answer',
        value: detail('source')['wall ms'],
        unit: 'ms',
        detail: detail('source'),
      },
    ]
  },
}

/** A new bundle of the current source. */
export async function bundled(bench: Bench): Promise<string> {
  const folder = path.join(os.tmpdir(), `lodge-bench-dist-${process.pid}`)
  bench.ending.add(folder, (one) => rm(one, { recursive: true, force: true }))
  const { bundle } = await import(pathToFileURL(path.join(repository, 'tools/bundle.mjs')).href)
  await bundle(folder)
  return path.join(folder, 'control-plane/src/main.js')
}

async function coldStart(database: Database, main: string | undefined): Promise<Start> {
  const started = performance.now()
  const plane = await startControlPlane(database, main === undefined ? {} : { main })
  const answer = await fetch(`${plane.origin}/ready`)
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
  const milliseconds = performance.now() - started
  const cpuMilliseconds = cpuMicrosOf(plane.program.pid) / 1000
  await plane.stop()
  return { milliseconds, cpuMilliseconds }
}

async function hello(): Promise<Start> {
  const started = performance.now()
  const program = await startProgram(['bench/src/limits/hello.ts'], {}, (line) => 'port' in line)
  const answer = await fetch(`http://127.0.0.1:${program.ready.port}/`)
  if (!answer.ok) throw new Error(`answered ${answer.status}`)
  const milliseconds = performance.now() - started
  const cpuMilliseconds = cpuMicrosOf(program.pid) / 1000
  await program.end()
  return { milliseconds, cpuMilliseconds }
}

/** What the idle control plane costs. */
export const footprint: Row = {
  number: 21,
  name: 'footprint',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    await insertFleet(database.pool, { nodes: 1 })
    const findings: Finding[] = []
    const seconds = bench.long ? 60 : 15
    const bundle = await bundled(bench)
    for (const [name, main] of [
      ['bundle', bundle],
      ['source', undefined],
    ] as const) {
      const plane = bench.ending.add(
        await startControlPlane(database, main === undefined ? {} : { main }),
        (one) => one.stop(),
      )
      // The start is over when the periodic tasks have run and the engine has released the memory
      // they used.
      await pause(60_000)
      const { pid } = plane.program
      const before = cpuMicrosOf(pid)
      await pause(seconds * 1000)
      findings.push({
        what: `control plane idle, from ${name}: resident memory`,
        value: residentMb(pid),
        unit: 'MB',
        ...(name === 'bundle' && { target: { atMost: 110 } }),
        peer: 'MCSManager panel 171 + daemon 136; LXD 173; Wings 19-32',
        detail: { 'node -e 0 MB': 44 },
      })
      findings.push({
        what: `control plane idle, from ${name}: of a core`,
        value: ((cpuMicrosOf(pid) - before) / (seconds * 1e6)) * 100,
        unit: '%',
        ...(name === 'bundle' && { target: { atMost: 0.5 } }),
      })
      await plane.program.end()
    }
    findings.push(...(await agentFootprint(bench, bundle)))
    return findings
  },
}

const SERVERS = [0, 50, 200]

/** The agent with servers that cost nothing themselves, and the control plane beside it. */
async function agentFootprint(bench: Bench, main: string): Promise<Finding[]> {
  const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
  const rows = await insertFleet(database.pool, { nodes: 1 })
  const side = await ourSide(bench, database, { main })
  const folder = path.join(await mkdtemp(path.join(os.tmpdir(), 'lodge-bench-agent-')), 'data')
  bench.ending.add(folder, (one) => rm(path.dirname(one), { recursive: true, force: true }))
  const agentMain = main.replace('control-plane/src', 'agent/src')
  const env = { LODGE_AGENT_DRIVER: 'fake' }
  const agent = await startAgent(bench, database, side, folder, env, { main: agentMain })
  const line = bench.ending.add(new Line(side.port), (one) => one.close())
  const body = { ownerId: rows.customer.id, templateId: rows.templateId }
  const seconds = bench.long ? 60 : 10
  const measured: { servers: number; cost: number; ours: number; share: number }[] = []
  for (const servers of SERVERS) {
    for (let made = measured.at(-1)?.servers ?? 0; made < servers; made++) {
      const named = { ...body, name: `idle ${made}` }
      await line.ask(requestBytes('POST', '/api/servers', { cookie: rows.adminCookie }, named))
    }
    await running(database, servers)
    // Excludes what the creations left behind.
    await pause(bench.long ? 20_000 : 5000)
    const before = cpuMicrosOf(agent.pid)
    await pause(seconds * 1000)
    const share = ((cpuMicrosOf(agent.pid) - before) / (seconds * 1e6)) * 100
    const ours = residentMb(side.plane.program.pid)
    measured.push({ servers, cost: residentMb(agent.pid), ours, share })
  }
  const [none, , most] = measured
  if (!none || !most) throw new Error('nothing was measured')
  return [
    {
      what: 'agent idle, from bundle, without servers: resident memory',
      value: none.cost,
      unit: 'MB',
      target: { atMost: 85 },
      peer: 'MCSManager daemon 136; Wings 19-32',
    },
    {
      what: `agent: memory for each of ${most.servers} servers`,
      value: ((most.cost - none.cost) * 1024) / most.servers,
      unit: 'KB',
      target: { atMost: 60 },
      detail: Object.fromEntries(
        measured.flatMap(({ servers, cost, ours }) => [
          [`MB at ${servers}`, cost],
          [`control plane MB at ${servers}`, ours],
        ]),
      ),
    },
    {
      what: `agent idle with ${most.servers} servers: of a core`,
      value: most.share,
      unit: '%',
      detail: { 'without servers': none.share },
    },
  ]
}

async function running(database: Database, count: number): Promise<void> {
  for (;;) {
    const { rows } = await database.pool.query<{ count: number }>(
      `select count(*)::int as count from servers where observed_state = 'running'`,
    )
    if ((rows[0]?.count ?? 0) >= count) return
    await pause(100)
  }
}
