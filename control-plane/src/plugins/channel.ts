import type { Readable, Writable } from 'node:stream'
import { FromPlugin, MAX_LINE_BYTES } from '@lodge/shared/plugins/protocol.ts'
import { PluginFault } from './fault.ts'
import { pace } from './pace.ts'

const NEWLINE = 10
/** More messages in a second are a flood. */
const MOST_PER_SECOND = 2000
/** More waits until the host takes it: reading messages must not be all that it does. */
const MOST_BYTES_PER_SECOND = 8 * 1024 * 1024
/** Calls of the plugin that are answered at once. */
const MOST_CALLS = 16
/** Of what it asked for, as much waits until it reads: all calls at once, of files, take half of it. */
const MOST_UNREAD_BYTES = 32 * 1024 * 1024

interface Waiting {
  readonly answer: PromiseWithResolvers<unknown>
  readonly timer: NodeJS.Timeout
}

interface Ends {
  /** Answers a call of the plugin. */
  serve(call: string, given: unknown): Promise<unknown>
  log(level: string, text: string): void
  /** It broke the protocol, so its process must end. */
  broken(why: string): void
}

/** The host's end of the pipe to one plugin; it believes nothing that it did not check. */
export class Channel {
  readonly #output: Writable
  readonly #ends: Ends
  readonly #waiting = new Map<number, Waiting>()
  #asked = 0
  #serving = 0
  #pending: Buffer[] = []
  #pendingBytes = 0
  #second = 0
  #messages = 0
  #closed: string | undefined

  constructor(input: Readable, output: Writable, ends: Ends) {
    this.#output = output
    this.#ends = ends
    input.on('data', (part: Buffer) => this.#read(part))
    pace(input, MOST_BYTES_PER_SECOND)
    // A process that ended cannot be written to; its exit says everything.
    output.on('error', () => undefined)
    input.on('error', () => undefined)
  }

  /** @throws PluginFault */
  request(call: string, given: unknown, timeoutMs: number): Promise<unknown> {
    // Whoever asks, and how much, is not its fault.
    if (this.#closed === undefined && this.#isBehind)
      return Promise.reject(new PluginFault('not_running', 'It has too much to do'))
    return this.#ask(call, given, timeoutMs)
  }

  /** Asks only for an answer, which takes longer while much is unread before it. @throws PluginFault */
  async ping(timeouts: { readonly usuallyMs: number; readonly behindMs: number }): Promise<void> {
    await this.#ask('ping', {}, this.#isBehind ? timeouts.behindMs : timeouts.usuallyMs)
  }

  get #isBehind(): boolean {
    return this.#output.writableLength > MOST_UNREAD_BYTES / 2
  }

  #ask(call: string, given: unknown, timeoutMs: number): Promise<unknown> {
    if (this.#closed !== undefined) return Promise.reject(new PluginFault('crashed', this.#closed))
    const id = ++this.#asked
    const answer = Promise.withResolvers<unknown>()
    const timer = setTimeout(() => {
      this.#waiting.delete(id)
      answer.reject(
        new PluginFault('timeout', `It did not answer within ${timeoutMs / 1000} seconds`),
      )
    }, timeoutMs)
    this.#waiting.set(id, { answer, timer })
    this.#send({ id, call, given })
    return answer.promise
  }

  /** Ends all that waits. */
  close(why: string): void {
    this.#closed ??= why
    for (const { answer, timer } of this.#waiting.values()) {
      clearTimeout(timer)
      answer.reject(new PluginFault('crashed', why))
    }
    this.#waiting.clear()
    this.#pending = []
  }

  #send(message: object): void {
    if (this.#closed !== undefined) return
    this.#output.write(`${JSON.stringify(message)}\n`)
    // What it does not read is kept by the host, and it may ask for more without end.
    if (this.#output.writableLength > MOST_UNREAD_BYTES)
      this.#broken('It does not read what it is told')
  }

  #broken(why: string): void {
    if (this.#closed !== undefined) return
    this.close(why)
    this.#ends.broken(why)
  }

  #read(part: Buffer): void {
    let rest = part
    while (this.#closed === undefined) {
      const end = rest.indexOf(NEWLINE)
      const piece = end < 0 ? rest : rest.subarray(0, end)
      this.#pendingBytes += piece.length
      if (this.#pendingBytes > MAX_LINE_BYTES) this.#broken('It sent too much at once')
      else this.#pending.push(piece)
      if (end < 0) return
      const line = Buffer.concat(this.#pending).toString('utf8')
      this.#pending = []
      this.#pendingBytes = 0
      if (this.#closed === undefined) this.#line(line)
      rest = rest.subarray(end + 1)
    }
  }

  #line(line: string): void {
    const second = Math.floor(Date.now() / 1000)
    this.#messages = second === this.#second ? this.#messages + 1 : 1
    this.#second = second
    const parsed = FromPlugin.safeParse(json(line))
    if (this.#messages > MOST_PER_SECOND) this.#broken('It sent too many messages')
    else if (!parsed.success) this.#broken('It sent what is not a message')
    else if ('log' in parsed.data) this.#ends.log(parsed.data.level, parsed.data.log)
    else if ('call' in parsed.data) void this.#serve(parsed.data)
    else this.#answered(parsed.data)
  }

  #answered(message: Exclude<FromPlugin, { log: string } | { call: string }>): void {
    const waiting = this.#waiting.get(message.id)
    if (!waiting) return
    this.#waiting.delete(message.id)
    clearTimeout(waiting.timer)
    if ('fault' in message) waiting.answer.reject(faultOf(message.fault))
    else waiting.answer.resolve(message.result)
  }

  async #serve({ id, call, given }: { id: number; call: string; given?: unknown }): Promise<void> {
    try {
      if (this.#serving >= MOST_CALLS) throw new Error(`Only ${MOST_CALLS} calls at once`)
      this.#serving++
      try {
        const result = await this.#ends.serve(call, given)
        this.#send({ id, result: result ?? null })
      } finally {
        this.#serving--
      }
    } catch (error) {
      this.#send({ id, fault: { message: error instanceof Error ? error.message : 'It failed' } })
    }
  }
}

function json(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}

function faultOf({ code, message }: { code: string | null; message: string }): PluginFault {
  if (code === null) return new PluginFault('failed', message)
  return new PluginFault(code === 'unsupported' ? 'unsupported' : 'refused', message, code)
}
