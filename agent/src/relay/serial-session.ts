import type { WebSocket } from 'ws'
import type { ServerConsole } from '../console/console.ts'
import { Pace } from './pace.ts'

/** Bytes buffered for a slow reader; the rest waits in the ring and is eventually dropped there. */
const WINDOW_BYTES = 256 * 1024
const FRAME_BYTES = 32 * 1024
/** Output within this time becomes one message, except right after a pause or a key. */
const GATHER_MS = 10

export interface SerialSessionOptions {
  readonly console: ServerConsole
  readonly socket: WebSocket
  readonly mayWrite: boolean
  /** Writes to the machine's serial line. */
  readonly write: (bytes: Uint8Array) => Promise<void>
  readonly nowMs: () => number
}

/**
 * One reader of a machine's serial line, byte by byte in binary messages: recent output, then new
 * output. Only the agent is connected to the line, so any number of readers can watch, each at its
 * own pace, without slowing the machine.
 */
export class SerialSession {
  readonly #options: SerialSessionOptions
  #position = 0
  readonly #pace: Pace
  #leave: () => void = () => undefined
  #closed = false
  #writing: Promise<void> = Promise.resolve()

  constructor(options: SerialSessionOptions) {
    this.#options = options
    this.#pace = new Pace(GATHER_MS, options.nowMs, () => this.#flush())
  }

  async start(): Promise<void> {
    const { console, socket, mayWrite } = this.#options
    await console.fill()
    // A listener that is added now would stay for ever.
    if (this.#closed) return
    this.#position = console.ring.start
    this.#leave = console.listen(() => this.#soon())
    if (mayWrite) {
      socket.on('message', (data: Buffer, isBinary: boolean) => {
        if (isBinary) this.#typed(data)
      })
    }
    this.#flush()
  }

  close(): void {
    this.#closed = true
    this.#leave()
    this.#pace.stop()
  }

  /** Writes in order, and pauses the reader while the line is slow. */
  #typed(bytes: Buffer): void {
    const { socket, write } = this.#options
    socket.pause()
    this.#pace.typed()
    this.#writing = this.#writing
      .then(() => write(bytes))
      // Input for a machine that is off is lost, as on any serial line.
      .catch(() => undefined)
      .finally(() => socket.resume())
  }

  #soon(): void {
    const unsent = this.#options.console.ring.end - this.#position
    if (unsent > 0) this.#pace.output(unsent)
  }

  #flush(): void {
    const { console, socket } = this.#options
    this.#pace.sent()
    while (socket.bufferedAmount < WINDOW_BYTES && this.#position < console.ring.end) {
      const { from, bytes } = console.ring.read(this.#position, FRAME_BYTES)
      this.#position = from + bytes.byteLength
      socket.send(bytes, { binary: true }, (error) => {
        if (!error) this.#soon()
      })
    }
  }
}
