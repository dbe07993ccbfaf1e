import net from 'node:net'
import { CpuMeter } from '../measure/cpu.ts'
import type { Burst } from '../measure/rounds.ts'

/** One HTTP/1.1 keep-alive connection that sends one request after the other. */
export class Line {
  readonly #socket: net.Socket
  #pending: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined
  #got: Buffer = Buffer.alloc(0)

  constructor(port: number) {
    this.#socket = net.connect({ host: '127.0.0.1', port, noDelay: true })
    this.#socket.on('data', (chunk) => this.#take(chunk))
    this.#socket.on('error', (error) => this.#fail(error))
    this.#socket.on('close', () => this.#fail(new Error('the line was closed')))
  }

  /** @param request everything up to the body's last byte */
  ask(request: Buffer): Promise<Answer> {
    if (this.#socket.destroyed) return Promise.reject(new Error('the line is closed'))
    return new Promise((resolve, reject) => {
      this.#pending = { resolve, reject }
      this.#socket.write(request)
    })
  }

  close(): void {
    this.#socket.destroy()
  }

  #fail(error: Error): void {
    this.#pending?.reject(error)
    this.#pending = undefined
  }

  #take(chunk: Buffer): void {
    this.#got = this.#got.length === 0 ? chunk : Buffer.concat([this.#got, chunk])
    const headEnd = this.#got.indexOf('\r\n\r\n')
    if (headEnd < 0) return
    const head = this.#got.toString('latin1', 0, headEnd)
    const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
    const chunked = length === undefined && /\r\ntransfer-encoding: chunked/i.test(head)
    const end = chunked
      ? this.#got.lastIndexOf('\r\n0\r\n\r\n') + 7
      : headEnd + 4 + Number(length ?? 0)
    if (chunked ? end < headEnd : this.#got.length < end) return
    const body = this.#got.subarray(headEnd + 4, end)
    this.#got = Buffer.alloc(0)
    const answer = { status: Number(head.slice(9, 12)), body }
    const pending = this.#pending
    this.#pending = undefined
    pending?.resolve(answer)
  }
}

export interface Answer {
  readonly status: number
  readonly body: Buffer
}

/** The bytes of a request; `body` is sent as JSON. */
export function requestBytes(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>>,
  body?: unknown,
): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: '127.0.0.1',
    origin: 'http://127.0.0.1',
    ...headers,
    ...(body === undefined
      ? {}
      : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(text)) }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}

/** The server to send to, and the process whose CPU time counts. */
export interface HttpSide {
  readonly port: number
  readonly appPid: number
  readonly backends: () => Promise<readonly number[]>
}

/**
 * Keeps `connections` busy for `seconds`. Any response but a success fails the burst: a fast
 * refusal is no operation.
 * @param next returns the next request
 */
export async function httpBurst(
  side: HttpSide,
  next: () => Buffer,
  given: { connections: number; seconds: number },
): Promise<Burst> {
  const lines = Array.from({ length: given.connections }, () => new Line(side.port))
  const app = new CpuMeter(async () => [side.appPid])
  const database = new CpuMeter(side.backends)
  const latenciesMs: number[] = []
  try {
    await database.start()
    await app.start()
    const started = performance.now()
    const until = started + given.seconds * 1000
    await Promise.all(
      lines.map(async (line) => {
        for (let now = performance.now(); now < until; ) {
          const { status, body } = await line.ask(next())
          if (status < 200 || status > 299) throw new Error(`answered ${status}: ${body}`)
          const after = performance.now()
          latenciesMs.push(after - now)
          now = after
        }
      }),
    )
    const seconds = (performance.now() - started) / 1000
    return {
      operations: latenciesMs.length,
      seconds,
      appMicros: await app.stop(),
      databaseMicros: await database.stop(),
      latenciesMs,
    }
  } finally {
    for (const line of lines) line.close()
  }
}
