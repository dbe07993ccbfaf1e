// The guard of a node: ends the servers that run under its lease when the lease has ended, whatever
// becomes of the agent, Docker and libvirt. Small on purpose: what it does not load cannot fail.
//
// Arguments: its folder below /run, and the file of its record.
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { bootMs } from './boot-clock.ts'
import { LeaseWatch } from './lease-watch.ts'
import { type Answer, PROCESS, type Request, SOCKET } from './protocol.ts'
import { record } from './record.ts'
import { stateFile } from './state-file.ts'

/** So a lease is noticed to have ended within this; also how long a late start can last. */
const LOOK_EVERY_MS = 100
/** Until one that guards nothing and hears of no agent ends, and how often it looks for that. */
const IDLE_MS = 60_000
const IDLE_LOOK_MS = 5_000
/** Under memory pressure the kernel ends everything else before it. */
const OUT_OF_MEMORY_SCORE = '-999'

const [folder = '', recordFile = ''] = process.argv.slice(2)
const build = createHash('sha256')
  .update(readFileSync(import.meta.filename))
  .digest('hex')

/** Nobody may be listening any more, and that must not end it. */
const say = (line: string) => void process.stderr.write(`${line}\n`)
process.stderr.on('error', () => {})
process.on('uncaughtException', (error) => say(String(error)))

mkdirSync(folder, { recursive: true, mode: 0o700 })
const state = stateFile(folder)
const watch = new LeaseWatch({
  state: state.read(),
  bootMs,
  save: state.write,
  ended(ended) {
    record(recordFile, ended).catch((error) => say(`The record cannot be written: ${error}`))
  },
})
// At once, as it may have ended while there was no guard.
watch.look()
setInterval(() => watch.look(), LOOK_EVERY_MS)

writeFileSync(join(folder, PROCESS), `${process.pid}\n`)
try {
  writeFileSync('/proc/self/oom_score_adj', OUT_OF_MEMORY_SCORE)
} catch {
  // Only root may.
}

function carryOut(request: Request): readonly string[] {
  switch (request.do) {
    case 'renew':
      watch.renew(request.deadlineMs)
      break
    case 'guard':
      watch.guard(request.serverId, request.traces)
      break
    case 'release':
      watch.release(request.serverId)
      break
    case 'fence':
      watch.fence()
      return watch.running()
    case 'tell':
  }
  return []
}

function answerTo(line: string): Answer {
  let error: string | undefined
  let running: readonly string[] = []
  try {
    running = carryOut(JSON.parse(line))
  } catch (caught) {
    error = String(caught)
  }
  const answer = { build, deadlineMs: watch.state.deadlineMs, running }
  return error === undefined ? answer : { ...answer, error }
}

let askedMs = bootMs()
setInterval(() => {
  const isIdle = watch.state.servers.length === 0 && bootMs() - askedMs >= IDLE_MS
  if (isIdle || isReplaced()) process.exit(0)
}, IDLE_LOOK_MS)

/** An agent that took it for dead has started another one, which knows what this one knew. */
function isReplaced(): boolean {
  try {
    return readFileSync(join(folder, PROCESS), 'utf8') !== `${process.pid}\n`
  } catch {
    // Its folder is gone: whoever removed it has ended what it guarded.
    return watch.state.servers.length === 0
  }
}

const socket = join(folder, SOCKET)
rmSync(socket, { force: true })
const server = createServer((connection) => {
  connection.on('error', () => connection.destroy())
  createInterface({ input: connection }).on('line', (line) => {
    askedMs = bootMs()
    connection.write(`${JSON.stringify(answerTo(line))}\n`)
  })
})
// The folder is open to its owner only.
server.listen(socket)
