import http from 'node:http'
import { type Duplex, PassThrough, type Readable } from 'node:stream'
import { DriverError } from '@lodge/driver/driver.ts'

const ANSWER_MS = 30_000
const STALL_MS = 60_000
const WAITING_BYTES = 1024 * 1024

/**
 * Sends every request over the single connection that a ticket pays for: a ticket opens one relay
 * and no second.
 */
class OneConnection extends http.Agent {
  readonly #dial: () => Promise<Duplex>
  #socket: Duplex | null = null

  constructor(dial: () => Promise<Duplex>) {
    super({ keepAlive: true, maxSockets: 1 })
    this.#dial = dial
  }

  override createConnection(
    _options: http.ClientRequestArgs,
    callback?: (error: Error | null, socket: Duplex) => void,
  ): Duplex | null | undefined {
    const answer = callback ?? (() => undefined)
    if (this.#socket) answer(new Error('The connection to the other node is gone'), this.#socket)
    else {
      this.#dial().then(
        (socket) => {
          this.#socket = socket
          answer(null, socket)
          // The server sends nothing before a request, so no data can be lost here.
          socket.resume()
        },
        (error: Error) => answer(error, new PassThrough()),
      )
    }
    return undefined
  }

  override destroy(): void {
    super.destroy()
    this.#socket?.destroy()
  }
}

export interface CopyReader {
  /**
   * Reads one file of the machine on the other node, starting at `offset`. One read at a time.
   * @throws {DriverError} retryable when the connection cannot be opened or breaks
   */
  read(name: string, offset: number, signal: AbortSignal): Promise<Readable>
  close(): void
}

/** Reads a copy from another node over one connection, opened on the first read. */
export function copyReader(dial: () => Promise<Duplex>): CopyReader {
  const agent = new OneConnection(dial)

  async function read(name: string, offset: number, signal: AbortSignal): Promise<Readable> {
    try {
      return await new Promise<Readable>((resolve, reject) => {
        const call = http.request(
          {
            path: `/files/${name}`,
            headers: { host: 'lodge', range: `bytes=${offset}-` },
            agent,
            signal,
          },
          (response) => {
            clearTimeout(timer)
            if (response.statusCode === 206) return resolve(withDriverErrors(response, signal))
            response.resume()
            const text = `The other node does not give ${name} (${response.statusCode}).`
            reject(new DriverError('not_found', text, { retryable: response.statusCode === 503 }))
          },
        )
        const timer = setTimeout(() => call.destroy(new Error('no answer')), ANSWER_MS)
        call.setTimeout(STALL_MS, () => call.destroy(new Error('nothing comes any more')))
        call.on('error', (error) => {
          clearTimeout(timer)
          reject(error)
        })
        call.end()
      })
    } catch (error) {
      signal.throwIfAborted()
      if (error instanceof DriverError) throw error
      throw lost(error)
    }
  }

  return {
    read,
    close() {
      agent.destroy()
    },
  }
}

/** Passes the bytes on, reporting a connection lost midway as a `DriverError`. */
function withDriverErrors(bytes: Readable, signal: AbortSignal): Readable {
  const passed = new PassThrough({ highWaterMark: WAITING_BYTES })
  bytes.on('error', (error) => passed.destroy(signal.aborted ? signal.reason : lost(error)))
  passed.on('close', () => {
    if (!bytes.readableEnded) bytes.destroy()
  })
  return bytes.pipe(passed)
}

const lost = (cause: unknown) =>
  new DriverError(
    'runtime_unavailable',
    'The connection to the other node was lost; what has come is kept.',
    { retryable: true, cause },
  )
