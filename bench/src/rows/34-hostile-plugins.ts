import { samplePackage } from '../../../test/support/plugin.ts'
import { interleave, median, medianRatio, quantile } from '../measure/rounds.ts'
import type { Finding, Row } from '../row.ts'
import { type ApiCaller, apiCaller } from '../stage/api.ts'
import { insertFleet, insertServers } from '../stage/fleet-rows.ts'
import { httpBurst, requestBytes } from '../stage/http-load.ts'
import { ourSide } from '../stage/sides.ts'

/** What a plugin does as soon as it is asked how it is, and for how long at most. */
const HOSTILE = {
  'endless loops': 'while (Date.now() < end);',
  'fork bombs': `
    const { spawn, fork } = await import('node:child_process')
    const { Worker } = await import('node:worker_threads')
    const tries = [() => spawn('/node', ['-e', '0']).on('error', () => {}), () => fork('/plugin/main.mjs').on('error', () => {}),
      () => new Worker('/plugin/main.mjs').on('error', () => {})]
    while (Date.now() < end) for (const attempt of tries) try { attempt() } catch {}`,
  'answers of 1 GiB': `
    const piece = 'x'.repeat(1 << 20)
    for (let sent = 0; sent < 1024 && Date.now() < end; sent++)
      if (!pipe.write(piece)) await new Promise((done) => pipe.once('drain', done))`,
  'answers without end': `
    const line = JSON.stringify({ id: 0, result: 'x'.repeat(2_000_000) }) + '\n'
    while (Date.now() < end)
      if (!pipe.write(line)) await new Promise((done) => pipe.once('drain', done))`,
  'floods of lines': `
    const lines = 'x\\n'.repeat(30_000)
    while (Date.now() < end)
      if (!process.stderr.write(lines)) await new Promise((done) => process.stderr.once('drain', done))`,
} as const
type Hostile = keyof typeof HOSTILE
const KINDS = Object.keys(HOSTILE) as Hostile[]
/** Of each kind so many do it at once. */
const AT_ONCE = 3

const BURST_SECONDS = 1.2
/** A stranger finds the pipe to the host, too. */
const mainOf = (code: string) => `
import net from 'node:net'
const pipe = new net.Socket({ fd: 3, readable: false, writable: true }).on('error', () => {})
export default () => ({
  event: { happened() {} },
  async health() {
    const end = Date.now() + ${BURST_SECONDS * 1000}
    ${code}
    return { ok: true, message: '' }
  },
})`

/** What people wait for the panel while plugins do their worst, beside the same without them. */
export const hostilePlugins: Row = {
  number: 34,
  name: 'hostile.plugins',
  seconds: 900,
  async run(bench) {
    const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
    const rows = await insertFleet(database.pool, { nodes: 20 })
    await insertServers(database.pool, { templateId: rows.templateId, from: 0, to: 1_000 })
    const side = await ourSide(bench, database)
    const api = apiCaller(side.plane.origin, rows.adminCookie)
    // A plugin may only be installed by who has just proven who they are.
    await database.pool.query('update sessions set proved_at = now()')
    const plugins = new Map<Hostile, readonly string[]>()
    for (const kind of KINDS) plugins.set(kind, await install(api, kind))

    const list = requestBytes('GET', '/api/servers?limit=50', { cookie: rows.adminCookie })
    const burst = () => httpBurst(side, () => list, { connections: 2, seconds: BURST_SECONDS })
    const beside = async (kind: Hostile) => {
      const ids = plugins.get(kind) ?? []
      // One that was ended too often is off.
      for (const id of ids) await api.patch(`/api/plugins/${id}`, { enabled: true })
      const over = new AbortController()
      const asking = Promise.all(ids.map((id) => keepAsking(api, id, over.signal)))
      const found = await burst()
      over.abort()
      await asking
      return found
    }
    const sides = {
      alone: burst,
      ...(Object.fromEntries(KINDS.map((kind) => [kind, () => beside(kind)])) as Record<
        Hostile,
        typeof burst
      >),
    }
    await interleave(1, sides)
    const bursts = await interleave(bench.long ? 9 : 5, sides)
    const p99 = ({ latenciesMs }: (typeof bursts.alone)[number]) => quantile(latenciesMs, 0.99)
    return KINDS.map(
      (kind): Finding => ({
        what: `p99 of a list beside ${kind} of ${AT_ONCE} plugins / without`,
        value: medianRatio(bursts[kind], bursts.alone, p99),
        unit: 'x',
        target: { atMost: 2 },
        detail: {
          'p99 ms': median(bursts[kind].map(p99)),
          'alone ms': median(bursts.alone.map(p99)),
          requests: bursts[kind].reduce((sum, { operations }) => sum + operations, 0),
        },
      }),
    )
  },
}

async function install(api: ApiCaller, kind: Hostile): Promise<string[]> {
  const ids = Array.from(
    { length: AT_ONCE },
    (_, at) => `${kind.replaceAll(' ', '-').toLowerCase()}-${at}`,
  )
  for (const id of ids) {
    const packed = samplePackage({ id }, mainOf(HOSTILE[kind]))
    const given = { source: 'upload', package: packed.toString('base64') }
    const { sha256 } = await api.post('/api/plugins/inspect', given)
    const accepted = { acceptPermissions: true, acceptUnsigned: true }
    await api.post('/api/plugins', { ...given, ...accepted, sha256 })
  }
  return ids
}

/** How long it waits after an answer that came at once: it failed, and starts again later. */
const PAUSE_MS = 20

async function keepAsking(api: ApiCaller, id: string, over: AbortSignal): Promise<void> {
  while (!over.aborted) {
    await api.post(`/api/plugins/${id}/health`, {})
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}
