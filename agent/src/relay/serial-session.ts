import type { WebSocket } from 'ws'
import type { ServerConsole } from '../console/console.ts'
import { Pace } from './pace.ts'

/** Bytes that may wait for a slow reader; the rest waits in the ring, and leaves it in the end. */
const WINDOW_BYTES = 256 * 1024
const FRAME_BYTES = 32 * 1024
/** Output of so many milliseconds becomes one message, but for what comes after a pause or a key. */
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
 * One reader at the serial line of a machine, byte by byte in binary messages: what was said of late,
 * then what is said. The agent alone is connected to the line; however many readers there are, each has
 * its own pace, and none slows the machine.
 */
export class SerialSession {
  readonly #options: SerialSessionOptions
  #position = 0
  readonly #pace: Pace
  #leave: () => void = () => undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(options: SerialSessionOptions) {
    this.#options = options
    this.#pace = new Pace(GATHER_MS, options.nowMs, () => this.#flush())
  }

  async start(): Promise<void> {
    const { console, socket, mayWrite } = this.#options
    await console.fill()
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
    this.#leave()
    this.#pace.stop()
  }

  /** One after the other, and no more is read from the reader while the line is slow. */
  #typed(bytes: Buffer): void {
    const { socket, write } = this.#options
    socket.pause()
    this.#pace.typed()
    this.#writing = this.#writing
      .then(() => write(bytes))
      // What is typed while the machine is off is lost, as with any serial line.
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
