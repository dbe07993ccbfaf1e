import net from 'node:net'
import { isMachine, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import type { Clock } from '../../clock.ts'
import { LineSplitter } from '../../console/lines.ts'

/** How long a workload must stay up when its template configures no other probe. */
const STAY_UP_SECONDS = 3
const TRY_PORT_MS = 500
/**
 * A port proxy may accept and hang up before the program listens: only a connection that stays open
 * counts.
 */
const HOLD_MS = 300

export type Verdict = 'alive' | 'timeout'

type Listen = (listener: (chunk: Uint8Array) => void) => () => void

export interface ProofOptions {
  readonly spec: WorkloadSpec
  readonly clock: Clock
  /**
   * Subscribes to output; the returned function unsubscribes. Null where the driver has no console:
   * line patterns are then ignored and the other probes decide.
   */
  readonly listen: Listen | null
  /** Resolves when the engine reports the workload as running; the timeout counts from then on. */
  readonly started: Promise<void>
  /** Output from before the agent followed it. */
  readonly earlierLines: readonly string[]
  /** Called once, unless cancelled before. */
  readonly decided: (verdict: Verdict) => void
}

/**
 * Watches a starting workload until one of its readiness probes succeeds or times out.
 * @returns stops watching
 */
export function watchProof(options: ProofOptions): () => void {
  const { clock, started, decided, listen } = options
  const { tcpPort, stayUpSeconds, timeoutSeconds, stripAnsi } = options.spec.proofOfLife
  const patterns = listen ? options.spec.proofOfLife.patterns : []
  const ends: (() => void)[] = []
  let over = false
  const end = () => {
    over = true
    for (const stop of ends) stop()
  }
  const decide = (verdict: Verdict) => {
    if (over) return
    end()
    decided(verdict)
  }
  const alive = () => void started.then(() => decide('alive'))
  if (listen && patterns.length > 0) ends.push(watchLines({ ...options, listen }, stripAnsi, alive))
  const port = tcpPort === undefined ? undefined : publishedAt(options.spec, tcpPort)
  const stayUp = stayUpSeconds ?? (patterns.length > 0 || port ? undefined : STAY_UP_SECONDS)
  void started.then(() => {
    if (over) return
    ends.push(clock.after(timeoutSeconds * 1000, () => decide('timeout')))
    if (port) ends.push(watchPort(port.hostAddress, port.hostPort, clock, alive))
    if (stayUp === 0) alive()
    else if (stayUp !== undefined) ends.push(clock.after(stayUp * 1000, alive))
  })
  return end
}

/** The address on this node where a TCP port of the workload can be reached. */
function publishedAt(spec: WorkloadSpec, tcpPort: number) {
  if (isMachine(spec)) {
    const rule = spec.natRules.find(
      ({ guestPort, protocol }) => guestPort === tcpPort && protocol === 'tcp',
    )
    // Guests are reached directly: connections from the node itself bypass port forwarding.
    return rule && { hostAddress: spec.network.address, hostPort: tcpPort }
  }
  return spec.ports.find(
    (published) => published.containerPort === tcpPort && published.protocol === 'tcp',
  )
}

type LineTest = (line: string) => boolean

function watchLines(
  options: ProofOptions & { readonly listen: Listen },
  stripAnsi: boolean,
  seen: () => void,
): () => void {
  const { patterns } = options.spec.proofOfLife
  const splitter = new LineSplitter(stripAnsi)
  const texts = patterns.filter((pattern) => pattern.kind === 'text').map(({ value }) => value)
  const expressions = patterns
    .filter((pattern) => pattern.kind === 'regex')
    .map(({ value }) => value)
  const tests: LineTest[] = texts.map((text) => (line) => line.includes(text))
  let waiting: string[] | undefined = expressions.length > 0 ? [] : undefined
  let over = false
  const look = (lines: readonly string[]) => {
    if (over || !lines.some((line) => tests.some((test) => test(line)))) return
    over = true
    seen()
  }
  if (waiting) {
    void compile(expressions).then((compiled) => {
      tests.push(...compiled)
      const lines = waiting ?? []
      waiting = undefined
      look(lines)
    })
  }
  const hear = (lines: readonly string[]) => {
    waiting?.push(...lines.slice(-1000))
    look(lines)
  }
  const leave = options.listen((chunk) => {
    const lines = splitter.push(chunk)
    // A prompt without a line end counts as well.
    hear(splitter.unfinished === '' ? lines : [...lines, splitter.unfinished])
  })
  hear(options.earlierLines)
  return () => {
    over = true
    leave()
  }
}

/**
 * Compiles expressions for RE2, which matches in linear time: templates are untrusted, and a
 * backtracking engine could be stalled. An invalid expression never matches.
 */
async function compile(expressions: readonly string[]): Promise<LineTest[]> {
  const { RE2JS } = await import('re2js')
  return expressions.flatMap((expression) => {
    try {
      const compiled = RE2JS.compile(expression)
      return [(line: string) => compiled.matcher(line).find()]
    } catch {
      return []
    }
  })
}

function watchPort(address: string, port: number, clock: Clock, open: () => void): () => void {
  let over = false
  let socket: net.Socket | undefined
  let cancel = () => {}
  const attempt = () => {
    const trying = net.connect({ host: localAddress(address), port })
    socket = trying
    let ended = false
    const again = () => {
      if (ended) return
      ended = true
      trying.destroy()
      if (!over) cancel = clock.after(TRY_PORT_MS, attempt)
    }
    const alive = () => {
      if (ended || over) return
      ended = true
      trying.destroy()
      open()
    }
    trying.on('error', again)
    trying.on('end', again)
    trying.on('close', again)
    trying.on('data', alive)
    trying.on('connect', () => {
      cancel = clock.after(HOLD_MS, alive)
    })
  }
  attempt()
  return () => {
    over = true
    cancel()
    socket?.destroy()
  }
}

const localAddress = (address: string) =>
  address === '0.0.0.0' ? '127.0.0.1' : address === '::' ? '::1' : address
