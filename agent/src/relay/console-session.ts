import { z } from 'zod'
import { cleanCommand } from '../console/command.ts'
import type { ServerConsole } from '../console/console.ts'
import { Pace } from './pace.ts'

/** Limit on bytes sent to a reader and not yet acknowledged. */
const WINDOW_BYTES = 256 * 1024
const FRAME_BYTES = 32 * 1024
/** Output within this time becomes one message, except right after a pause. */
const GATHER_MS = 15
const COMMAND_BURST = 20
const COMMANDS_PER_SECOND = 5

const FromReader = z.discriminatedUnion('type', [
  z.object({ type: z.literal('command'), line: z.string() }),
  z.object({ type: z.literal('ack'), bytes: z.number().min(0) }),
])

/** The reader's socket, as far as a session needs it. */
export interface ReaderSocket {
  /** Bytes buffered in this process. */
  waitingBytes(): number
  sendBytes(bytes: Uint8Array): void
  sendText(text: string): void
}

export interface ConsoleSessionOptions {
  readonly console: ServerConsole
  readonly socket: ReaderSocket
  readonly mayWrite: boolean
  readonly nowMs: () => number
  /** Writes one line to the workload; rejects with an Error whose message suits the reader. */
  readonly command: (line: string) => Promise<void>
}

/**
 * One reader of one console. It reads from the ring at its own pace; when it falls so far behind
 * that output has left the ring, it learns how many bytes it missed and continues from there. It
 * can never slow down the workload or another reader.
 */
export class ConsoleSession {
  readonly #options: ConsoleSessionOptions
  #position = 0
  #replayUntil = 0
  #replayed = false
  #unacknowledged = 0
  readonly #pace: Pace
  #allowance = COMMAND_BURST
  #allowanceMs: number
  #leave: () => void = () => undefined
  #closed = false

  constructor(options: ConsoleSessionOptions) {
    this.#options = options
    this.#allowanceMs = options.nowMs()
    this.#pace = new Pace(GATHER_MS, options.nowMs, () => this.#flush())
  }

  /** Sends the stored output, then new output as it arrives. */
  async start(): Promise<void> {
    const { console } = this.#options
    await console.fill()
    // A listener that is added now would stay for ever.
    if (this.#closed) return
    this.#position = console.ring.start
    this.#replayUntil = console.ring.end
    this.#leave = console.listen(() => this.#soon())
    this.#flush()
  }

  /** Sends a message other than output, such as a state change. */
  tell(message: { readonly type: string; readonly [field: string]: unknown }): void {
    this.#options.socket.sendText(JSON.stringify(message))
  }

  /** Handles a text message from the reader. Ignores malformed ones. */
  heard(text: string): void {
    let json: unknown
    try {
      json = JSON.parse(text)
    } catch {
      return
    }
    const message = FromReader.safeParse(json)
    if (!message.success) return
    if (message.data.type === 'command') this.#command(message.data.line)
    else {
      this.#unacknowledged = Math.max(0, this.#unacknowledged - message.data.bytes)
      this.#soon()
    }
  }

  close(): void {
    this.#closed = true
    this.#leave()
    this.#pace.stop()
  }

  #soon(): void {
    const unsent = this.#options.console.ring.end - this.#position
    if (unsent > 0 && this.#unacknowledged < WINDOW_BYTES) this.#pace.output(unsent)
  }

  #flush(): void {
    const { console, socket } = this.#options
    this.#pace.sent()
    while (this.#hasRoom() && this.#position < console.ring.end) {
      const { from, bytes } = console.ring.read(this.#position, FRAME_BYTES)
      if (from > this.#position) this.tell({ type: 'missed', bytes: from - this.#position })
      this.#position = from + bytes.byteLength
      this.#unacknowledged += bytes.byteLength
      socket.sendBytes(bytes)
    }
    if (!this.#replayed && this.#position >= this.#replayUntil) {
      this.#replayed = true
      this.tell({ type: 'replayed' })
    }
  }

  /**
   * A reader may acknowledge bytes it has not read; the socket's buffer limits what that can pile
   * up here.
   */
  #hasRoom(): boolean {
    const waiting = this.#options.socket.waitingBytes()
    return this.#unacknowledged < WINDOW_BYTES && waiting < WINDOW_BYTES
  }

  #command(line: string): void {
    const text = cleanCommand(line)
    if (!this.#options.mayWrite) {
      this.#refuse('You may not send commands to this server')
      return
    }
    if (!this.#mayCommand()) {
      this.#refuse('Too many commands: wait a moment')
      return
    }
    this.#pace.typed()
    this.#options.command(text).catch((error: unknown) => {
      this.#refuse(error instanceof Error ? error.message : 'The command was not delivered')
    })
  }

  #refuse(text: string): void {
    this.tell({ type: 'notice', text })
  }

  #mayCommand(): boolean {
    const nowMs = this.#options.nowMs()
    const earned = (Math.max(0, nowMs - this.#allowanceMs) / 1000) * COMMANDS_PER_SECOND
    this.#allowance = Math.min(COMMAND_BURST, this.#allowance + earned)
    this.#allowanceMs = nowMs
    if (this.#allowance < 1) return false
    this.#allowance -= 1
    return true
  }
}
