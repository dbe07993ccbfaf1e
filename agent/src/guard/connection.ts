import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import type { Answer, Request } from './protocol.ts'

/** A guard that takes longer counts as silent. */
const ANSWER_WITHIN_MS = 2_000

/** One connection to the guard. Its answers come in the order of the requests. */
export class GuardConnection {
  readonly #socket: Socket
  readonly #waiting: { resolve(answer: Answer): void; reject(error: Error): void }[] = []
  #fault: Error | null = null

  private constructor(socket: Socket, lost: () => void) {
    this.#socket = socket
    const end = (error: Error) => {
      if (this.#fault) return
      this.#fault = error
      socket.destroy()
      for (const { reject } of this.#waiting.splice(0)) reject(error)
      lost()
    }
    socket.on('error', end)
    socket.on('close', () => end(new Error('The guard has ended.')))
    const lines = createInterface({ input: socket })
    lines.on('error', end)
    lines.on('line', (line) => {
      try {
        const answer: Answer = JSON.parse(line)
        this.#waiting.shift()?.resolve(answer)
      } catch (error) {
        end(error instanceof Error ? error : new Error(String(error)))
      }
    })
    this.close = () => end(new Error('The connection to the guard was closed.'))
  }

  readonly close: () => void

  /** @param lost called once, when the connection ends */
  static async open(path: string, lost: () => void): Promise<GuardConnection> {
    const socket = connect(path)
    await new Promise<void>((resolve, reject) => {
      socket.once('connect', resolve)
      socket.once('error', reject)
    })
    return new GuardConnection(socket, lost)
  }

  /** @throws Error when the guard is silent, has ended or could not do it */
  async ask(request: Request): Promise<Answer> {
    if (this.#fault) throw this.#fault
    const answered = Promise.withResolvers<Answer>()
    this.#waiting.push(answered)
    this.#socket.write(`${JSON.stringify(request)}\n`)
    // Later answers would be taken for those of later requests.
    const late = setTimeout(this.close, ANSWER_WITHIN_MS)
    try {
      const answer = await answered.promise
      if (answer.error !== undefined) throw new Error(`The guard could not do it: ${answer.error}`)
      return answer
    } finally {
      clearTimeout(late)
    }
  }
}
