import { randomUUID } from 'node:crypto'
import net from 'node:net'
import { TemplateDocument } from '@lodge/shared/templates/document.ts'
import WebSocket from 'ws'
import { cpuMicrosOf, residentMb } from '../measure/cpu.ts'
import { interleave, median, medianRatio } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import type { Database } from '../stage/database.ts'
import { startDockerNode } from '../stage/docker-node.rig.ts'
import { insertFleet } from '../stage/fleet-rows.ts'
import { openLiveView } from '../stage/live-view.ts'
import { type ControlPlaneSide, ourSide } from '../stage/sides.ts'
import { BENCH_TEMPLATE } from '../stage/template.ts'

const FLOOD_MIB = 16
const READERS = 10
/** Says again what it is told; `flood` is answered with many lines and a last one. */
const ECHO = `while read line; do if [ "$line" = flood ]; then yes ${'x'.repeat(62)} |
  head -c ${FLOOD_MIB * 1024 * 1024}; echo over; else echo "$line"; fi; done`

/** From a line that a browser sends to its echo in the browser, and many lines, beside Docker's own attach. */
export const consoles: Row = {
  number: 15,
  name: 'console.latency and throughput',
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const rows = await insertFleet(database.pool, { nodes: 1 })
    const templateId = await insertEcho(database)
    const side = await ourSide(bench, database)
    const { ask, socketPath } = await startDockerNode(bench, database, side)
    const view = bench.ending.add(await openLiveView(side.plane.origin, rows.adminCookie), (one) =>
      one.close(),
    )
    const { serverId } = await post(side, rows.adminCookie, '/api/servers', {
      name: 'echo',
      ownerId: rows.customer.id,
      templateId,
    })
    await view.shows(String(serverId), 'running')
    const [container] = JSON.parse(await ask('GET', '/containers/json')) as { Id: string }[]
    const { Config, HostConfig } = JSON.parse(await ask('GET', `/containers/${container?.Id}/json`))
    const { Id } = JSON.parse(
      await ask('POST', '/containers/create', {
        ...Config,
        Labels: {},
        Hostname: '',
        HostConfig: { ...HostConfig, PortBindings: {} },
      }),
    )
    await ask('POST', `/containers/${Id}/start`)
    const direct = bench.ending.add(await attach(socketPath, Id), (one) => one.close())
    const open = () => openConsole(side, rows.adminCookie, String(serverId))
    const ours = bench.ending.add(await open(), (one) => one.close())
    bench.say('two echoes are up')

    // A session may send five lines a second, which also keeps one echo apart from the next.
    const echoes = await interleave(bench.long ? 100 : 25, {
      direct: () => echo(direct),
      ours: () => echo(ours),
    })
    const readers = await Promise.all(Array.from({ length: READERS - 1 }, open))
    const many = await interleave(bench.long ? 50 : 15, {
      direct: () => echo(direct),
      ours: () => echo(ours),
    })
    for (const reader of readers) reader.close()

    const plane = side.plane.program.pid
    const before = cpuMicrosOf(plane)
    const floods = await interleave(bench.long ? 5 : 3, {
      direct: () => flood(direct),
      ours: () => flood(ours),
    })
    const cpuMs = (cpuMicrosOf(plane) - before) / 1000
    const mib = floods.ours.reduce((sum, { bytes }) => sum + bytes / 1048576, 0)

    const slow = await Promise.all(Array.from({ length: READERS - 1 }, open))
    for (const reader of slow) reader.pause()
    const restingMb = residentMb(plane)
    for (let n = 0; n < 3; n++) await flood(ours)
    const grownMb = (residentMb(plane) - restingMb) / slow.length
    for (const reader of slow) reader.close()

    const rate = (one: { bytes: number; seconds: number }) => one.bytes / 1048576 / one.seconds
    const extra = (times: { direct: number[]; ours: number[] }) =>
      median(times.ours.map((ms, round) => ms - (times.direct[round] ?? 0)))
    const findings: Finding[] = [
      {
        what: 'echo of a line in a browser beyond the echo at the engine',
        value: extra(echoes),
        unit: 'ms',
        target: { atMost: 1 },
        peer: 'chunks on the control stream 0.36 ms, this way 0.1 ms, without an engine',
        detail: { ms: median(echoes.ours), 'engine ms': median(echoes.direct) },
      },
      { what: `the same with ${READERS} readers`, value: extra(many), unit: 'ms' },
      {
        what: 'what a flood brings to a reader a second / attached to the engine',
        value: medianRatio(floods.ours, floods.direct, rate),
        unit: 'x',
        detail: {
          'MiB/s': median(floods.ours.map(rate)),
          'engine MiB/s': median(floods.direct.map(rate)),
          'MiB read of each flood': mib / floods.ours.length,
          'MiB said': FLOOD_MIB,
        },
      },
      {
        what: 'control plane: CPU for each MiB of console',
        value: cpuMs / mib,
        unit: 'ms',
        target: { atMost: 4 },
        peer: 'chunks on the control stream 9.7 ms',
      },
      {
        what: 'control plane: memory for each reader who stopped reading',
        value: grownMb,
        unit: 'MB',
        target: { atMost: 8 },
      },
    ]
    return findings
  },
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

/** One end of a console: sends lines, and tells of every piece of output. */
interface Terminal {
  send(line: string): void
  heard: (bytes: Buffer) => void
  pause(): void
  close(): void
}

async function openConsole(
  side: ControlPlaneSide,
  cookie: string,
  serverId: string,
): Promise<Terminal> {
  const { origin } = side.plane
  const made = await post(side, cookie, `/api/servers/${serverId}/console-ticket`, {})
  const { ticket, url, protocol } = made as Record<'ticket' | 'url' | 'protocol', string>
  const socket = new WebSocket(
    new URL(url, origin.replace('http', 'ws')),
    [protocol, `ticket.${ticket}`],
    { headers: { origin, cookie }, perMessageDeflate: false },
  )
  const terminal: Terminal = {
    send: (line) => socket.send(JSON.stringify({ type: 'command', line })),
    heard: () => undefined,
    pause: () => socket.pause(),
    close: () => socket.terminate(),
  }
  socket.on('error', () => undefined)
  socket.on('message', (data: Buffer, isBinary) => {
    if (!isBinary) return
    socket.send(JSON.stringify({ type: 'ack', bytes: data.byteLength }))
    terminal.heard(data)
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('open', resolve)
    socket.once('close', (code) => reject(new Error(`the console was closed: ${code}`)))
  })
  return terminal
}

/** The engine's own attach, as a raw connection. */
async function attach(socketPath: string, id: string): Promise<Terminal> {
  const socket = net.connect(socketPath)
  const terminal: Terminal = {
    send: (line) => socket.write(`${line}\n`),
    heard: () => undefined,
    pause: () => socket.pause(),
    close: () => socket.destroy(),
  }
  socket.write(
    `POST /containers/${id}/attach?stream=1&stdin=1&stdout=1&stderr=1 HTTP/1.1\r\nhost: engine\r\nconnection: Upgrade\r\nupgrade: tcp\r\n\r\n`,
  )
  await new Promise<void>((resolve, reject) => {
    socket.once('data', () => resolve())
    socket.once('error', reject)
  })
  socket.on('data', (bytes: Buffer) => terminal.heard(bytes))
  return terminal
}

let count = 0

/** Milliseconds from sending a line to hearing it. */
async function echo(terminal: Terminal): Promise<number> {
  await new Promise((resolve) => setTimeout(resolve, 110))
  const line = `line ${count++} of many`
  const { promise, resolve } = Promise.withResolvers<void>()
  terminal.heard = (bytes) => bytes.includes(line) && resolve()
  const started = performance.now()
  terminal.send(line)
  await promise
  return performance.now() - started
}

/** Bytes and seconds from asking for a flood to its last line; a reader may be spared what he is too slow for. */
async function flood(terminal: Terminal): Promise<{ bytes: number; seconds: number }> {
  await new Promise((resolve) => setTimeout(resolve, 250))
  const { promise, resolve } = Promise.withResolvers<void>()
  let bytes = 0
  terminal.heard = (piece) => {
    bytes += piece.byteLength
    if (piece.includes('over')) resolve()
  }
  const started = performance.now()
  terminal.send('flood')
  await promise
  return { bytes, seconds: (performance.now() - started) / 1000 }
}
