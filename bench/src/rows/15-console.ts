import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { cpuMicrosOf, residentMb } from '../measure/cpu.ts'
import { interleave, median, medianRatio } from '../measure/rounds.ts'
import type { Bench, Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'
import { type AskEngine, startDockerNode } from '../stage/docker-node.fixture.ts'
import { insertFleet, insertSession } from '../stage/fleet-rows.ts'
import { openLiveView } from '../stage/live-view.ts'
import { startProgram } from '../stage/program.ts'
import { type ControlPlaneSide, ourSide } from '../stage/sides.ts'
import { BENCH_TEMPLATE } from '../stage/template.ts'
import {
  ECHO,
  echo,
  engineTerminal,
  flood,
  type Terminal,
  untilOver,
  webTerminal,
} from '../stage/terminal.ts'

const FLOOD_MIB = 16
const READERS = 10
/** The limits of open consoles per person and per server. */
const [EACH_PERSON, EACH_SERVER] = [10, 30]

/** From a line sent by a browser to its echo there, and many lines, compared with Docker's own attach. */
export const consoles: Row = {
  number: 15,
  name: 'console.latency and throughput',
  async run(bench) {
    const many = bench.long ? 500 : 50
    const house = await openHouse(bench, Math.ceil(many / EACH_SERVER))
    const { side, serverIds, direct, bare } = house
    const plane = side.plane.program.pid
    const [serverId = ''] = serverIds
    const open = () => openConsole(side, house.adminCookie, serverId)
    const ours = bench.ending.add(await open(), (one) => one.close())
    const echoes = () =>
      interleave(bench.long ? 100 : 25, {
        direct: () => echo(direct),
        bare: () => echo(bare.terminal),
        ours: () => echo(ours),
      })
    bench.say('three echoes are up')
    await interleave(5, { bare: () => echo(bare.terminal), ours: () => echo(ours) })
    const alone = await echoes()

    const floodOf = (terminal: Terminal, pid: number) => async () => {
      const before = cpuMicrosOf(pid)
      const received = await flood(terminal, FLOOD_MIB)
      return { ...received, cpuMs: (cpuMicrosOf(pid) - before) / 1000 }
    }
    const floods = await interleave(bench.long ? 11 : 7, {
      // Nobody has a console of the first one open: this is our program's work regardless of
      // readers.
      direct: floodOf(direct, plane),
      bare: floodOf(bare.terminal, bare.pid),
      ours: floodOf(ours, plane),
    })
    const idle = median(floods.direct.map(({ cpuMs, seconds }) => cpuMs / seconds))
    const rate = (one: Flood) => one.bytes / 1048576 / one.seconds
    const cost = (one: Flood) => (one.cpuMs * 1048576) / one.bytes
    const ownCost = (one: Flood) => cost({ ...one, cpuMs: one.cpuMs - idle * one.seconds })

    const slow = await Promise.all(Array.from({ length: READERS - 1 }, open))
    for (const reader of slow) reader.pause()
    const restingMb = residentMb(plane)
    for (let n = 0; n < 3; n++) await flood(ours, FLOOD_MIB)
    const grownMb = (residentMb(plane) - restingMb) / slow.length
    for (const reader of slow) reader.close()

    const findings: Finding[] = [
      {
        what: 'echo of a line in a browser beyond the echo at the engine',
        value: beyond(alone.ours, alone.direct),
        unit: 'ms',
        target: { atMost: 1 },
        peer: 'chunks on the control stream 0.36 ms, this way 0.1 ms, without an engine',
        detail: { ms: median(alone.ours), 'engine ms': median(alone.direct) },
      },
      {
        what: 'the same beyond a bare splice of a WebSocket',
        value: beyond(alone.ours, alone.bare),
        unit: 'ms',
        target: { atMost: 0.2 },
        detail: { 'bare ms': median(alone.bare) },
      },
      {
        what: 'what a flood brings to a reader a second / through a bare splice',
        value: medianRatio(floods.ours, floods.bare, rate),
        unit: 'x',
        target: { atLeast: 0.75 },
        detail: {
          'MiB/s': median(floods.ours.map(rate)),
          'bare MiB/s': median(floods.bare.map(rate)),
          'engine MiB/s': median(floods.direct.map(rate)),
          'MiB read of each flood': median(floods.ours.map(({ bytes }) => bytes / 1048576)),
          'MiB said': FLOOD_MIB,
        },
      },
      {
        what: 'control plane: CPU for each MiB of console, beyond what it takes at rest',
        value: median(floods.ours.map(ownCost)),
        unit: 'ms',
        target: { atMost: 4 },
        peer: 'chunks on the control stream 9.7 ms',
        detail: {
          'bare ms': median(floods.bare.map(cost)),
          'with what it takes at rest': median(floods.ours.map(cost)),
          'at rest, ms a second': idle,
        },
      },
      {
        what: 'control plane: memory for each reader who stopped reading',
        value: grownMb,
        unit: 'MB',
        target: { atMost: 8 },
      },
    ]
    return [...findings, ...(await manySessions(bench, house, many, ours, echoes))]
  },
}

interface Flood {
  readonly bytes: number
  readonly seconds: number
  readonly cpuMs: number
}

const beyond = (ours: readonly number[], limit: readonly number[]): number =>
  median(ours.map((ms, round) => ms - (limit[round] ?? 0)))

/** So many consoles at once, over the necessary number of people and servers. */
async function manySessions(
  bench: Bench,
  { side, serverIds, database }: House,
  count: number,
  ours: Terminal,
  echoes: () => Promise<Record<'ours' | 'direct', number[]>>,
): Promise<Finding[]> {
  const plane = side.plane.program.pid
  const before = residentMb(plane)
  const sessions: Terminal[] = []
  bench.ending.add(sessions, (all) => {
    for (const one of all) one.close()
  })
  let cookie = ''
  // The open one counts as well.
  for (let at = 1; at < count; at++) {
    if (at % EACH_PERSON === 1) cookie = await insertAdministrator(database, at)
    sessions.push(await openConsole(side, cookie, serverIds[at % serverIds.length] ?? ''))
  }
  const eachKb = ((residentMb(plane) - before) * 1024) / (count - 1)
  bench.say(`${count} consoles are open`)
  const times = await echoes()
  const received = await readByAll(sessions, serverIds.length, ours, plane)
  return [
    {
      what: `echo with ${count} consoles open, beyond the echo at the engine`,
      value: beyond(times.ours, times.direct),
      unit: 'ms',
      detail: { ms: median(times.ours), servers: serverIds.length },
    },
    {
      what: `control plane: CPU for each MiB, told to all readers of one of them`,
      value: received.cpuMs / received.mib,
      unit: 'ms',
      target: { atMost: 4 },
      detail: {
        readers: received.readers,
        MiB: received.mib,
        'MiB/s': received.mib / received.seconds,
      },
    },
    {
      what: `control plane: memory for each of ${count} consoles`,
      value: eachKb,
      unit: 'KB',
    },
  ]
}

/** A flood at the first server, until every reader has received its end. */
async function readByAll(
  sessions: readonly Terminal[],
  servers: number,
  ours: Terminal,
  plane: number,
) {
  const readers = sessions.filter((_, at) => (at + 1) % servers === 0)
  const ends = readers.map(untilOver)
  const [cpu, started] = [cpuMicrosOf(plane), performance.now()]
  const first = await flood(ours, 4)
  const bytes = (await Promise.all(ends)).reduce((sum, one) => sum + one, first.bytes)
  const seconds = (performance.now() - started) / 1000
  const cpuMs = (cpuMicrosOf(plane) - cpu) / 1000
  return { readers: readers.length + 1, cpuMs, seconds, mib: bytes / 1048576 }
}

interface House {
  readonly side: ControlPlaneSide
  readonly database: Database
  readonly adminCookie: string
  readonly serverIds: readonly string[]
  /** Attached directly to the engine, to a container that is not ours. */
  readonly direct: Terminal
  readonly bare: { readonly terminal: Terminal; readonly pid: number }
}

/** Our servers, which echo their input, and two identical containers beside them. */
async function openHouse(bench: Bench, servers: number): Promise<House> {
  const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
  const { adminCookie, customer } = await insertFleet(database.pool, { nodes: 1 })
  const templateId = await insertEcho(database)
  const side = await ourSide(bench, database)
  const { ask, socketPath } = await startDockerNode(bench, database, side)
  const view = bench.ending.add(await openLiveView(side.plane.origin, adminCookie), (one) =>
    one.close(),
  )
  const serverIds: string[] = []
  while (serverIds.length < servers) {
    const body = { name: `echo ${serverIds.length}`, ownerId: customer.id, templateId }
    const { serverId } = await post(side, adminCookie, '/api/servers', body)
    await view.shows(String(serverId), 'running')
    serverIds.push(String(serverId))
  }
  const [first, second] = [await startIdentical(ask), await startIdentical(ask)]
  const direct = bench.ending.add(await engineTerminal(socketPath, first), (one) => one.close())
  const authority = path.join(side.plane.dataFolder, 'authority')
  const bare = await bareSplice(bench, authority, socketPath, second)
  return { side, database, adminCookie, serverIds, direct, bare }
}

/** A running container identical to our first one, unknown to the agent. */
async function startIdentical(ask: AskEngine): Promise<string> {
  const containers = JSON.parse(await ask('GET', '/containers/json')) as { Id: string }[]
  const known = await Promise.all(
    containers.map(async ({ Id }) => JSON.parse(await ask('GET', `/containers/${Id}/json`))),
  )
  const { Config, HostConfig } = known.find(({ Config: { Labels } }) => Object.keys(Labels).length)
  const made = await ask('POST', '/containers/create', {
    ...Config,
    Labels: {},
    Hostname: '',
    HostConfig: { ...HostConfig, PortBindings: {} },
  })
  const { Id } = JSON.parse(made) as { Id: string }
  await ask('POST', `/containers/${Id}/start`)
  return Id
}

async function bareSplice(bench: Bench, authority: string, engine: string, container: string) {
  const start = async (args: readonly string[], isReady: (line: object) => boolean) =>
    bench.ending.add(
      await startProgram(
        ['bench/src/limits/bare-splice.fixture.ts', ...args],
        { LODGE_DATA: authority },
        isReady,
      ),
      (one) => one.end(),
    )
  const plane = await start(['plane'], (line) => 'agentPort' in line)
  const { port, agentPort } = plane.ready
  await start(['agent', String(agentPort), '1', engine, container], (line) => 'connections' in line)
  const terminal = await webTerminal(new URL(`ws://127.0.0.1:${port}/`), [], {})
  return { pid: plane.pid, terminal: bench.ending.add(terminal, (one) => one.close()) }
}

async function insertEcho({ pool }: Database): Promise<string> {
  const { runtime, ...rest } = BENCH_TEMPLATE
  const startup = { kind: 'argv', command: ['/bin/sh', '-c', ECHO] }
  const document = TemplateDocument.parse({ ...rest, runtime: { ...runtime, startup } })
  const id = randomUUID()
  await pool.query(
    `insert into templates (id, name, description, origin, version, document, customer_visible)
     values ($1, 'Echo', '', 'custom', 1, $2, true)`,
    [id, JSON.stringify(document)],
  )
  await pool.query(
    'insert into template_versions (template_id, version, document) values ($1, 1, $2)',
    [id, JSON.stringify(document)],
  )
  return id
}

/** @returns the cookie of another administrator */
async function insertAdministrator({ pool }: Database, number: number): Promise<string> {
  const email = `administrator${number}@example.org`
  await pool.query(
    `insert into users (id, email, role, permissions, preferences, factor_due_at)
     values (gen_random_uuid(), $1, 'admin', $2, '{"mode":null}', now() + interval '1 year')`,
    [email, ['servers.view', 'servers.console']],
  )
  return (await insertSession(pool, email)).cookie
}

async function post(side: ControlPlaneSide, cookie: string, where: string, body: object) {
  const { origin } = side.plane
  const answer = await fetch(`${origin}${where}`, {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (!answer.ok) throw new Error(`${where} answered ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Record<string, unknown>
}

async function openConsole(
  side: ControlPlaneSide,
  cookie: string,
  serverId: string,
): Promise<Terminal> {
  const { origin } = side.plane
  const made = await post(side, cookie, `/api/servers/${serverId}/console-ticket`, {})
  const { ticket, url, protocol } = made as Record<'ticket' | 'url' | 'protocol', string>
  const at = new URL(url, origin.replace('http', 'ws'))
  return webTerminal(at, [protocol, `ticket.${ticket}`], { origin, cookie })
}
