import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { Line } from './line.ts'

type Way = 'out' | 'in'
type Where = number | string

/**
 * A connection that a test cuts as a network fails: neither end is told, and what was sent is still
 * in flight and arrives late if the connection is restored before the programs give up. It can also be slow.
 */
export class SilentLine extends Line {
  readonly #to: () => Where
  readonly #cut = new Set<Way>()
  readonly #held: (() => void)[] = []
  #delayMs = 0

  private constructor(to: () => Where) {
    super()
    this.#to = to
  }

  /** @param to a port of this machine or a Unix socket, evaluated for each connection */
  static open = (to: Where | (() => Where)): Promise<SilentLine> =>
    new SilentLine(typeof to === 'function' ? to : () => to).listen()

  get isCut(): boolean {
    return this.#cut.size > 0
  }

  cut(ways: readonly Way[]): void {
    for (const way of ways) this.#cut.add(way)
  }

  mend(): void {
    this.#cut.clear()
    for (const deliver of this.#held.splice(0)) deliver()
  }

  /** Everything sent from now on arrives this much later, in order. */
  slow(delayMs: number): void {
    this.#delayMs = delayMs
  }

  protected connect(near: net.Socket): void {
    const to = this.#to()
    const far = typeof to === 'number' ? net.connect(to, '127.0.0.1') : net.connect(to)
    this.#carry(near, far, 'out')
    this.#carry(far, near, 'in')
  }

  #carry(from: net.Socket, to: net.Socket, way: Way): void {
    this.sockets.add(from)
    let onItsWay = 0
    let before = Promise.resolve()
    const act = (deliver: () => void) => {
      const arrive = () => void (this.#cut.has(way) ? this.#held.push(deliver) : deliver())
      if (this.#delayMs === 0 && onItsWay === 0) return arrive()
      const atMs = performance.now() + this.#delayMs
      onItsWay += 1
      before = before.then(async () => {
        await pause(Math.max(0, atMs - performance.now()), undefined, { ref: false })
        onItsWay -= 1
        arrive()
      })
    }
    from.on('data', (data) => act(() => !to.destroyed && to.write(data)))
    from.on('end', () => act(() => to.end()))
    from.on('error', () => act(() => to.destroy()))
    from.on('close', () => {
      this.sockets.delete(from)
      act(() => to.destroy())
    })
  }
}
