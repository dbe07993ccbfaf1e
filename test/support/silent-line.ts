import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

type Way = 'out' | 'in'

/**
 * A line between two programs that a test cuts as a network is cut: nobody is told, what is sent is on
 * its way still, and arrives late if the line is mended before the programs give up.
 */
export class SilentLine implements AsyncDisposable {
  readonly #server: net.Server
  readonly #sockets = new Set<net.Socket>()
  readonly #cut = new Set<Way>()
  readonly #held: { readonly way: Way; readonly deliver: () => void }[] = []

  private constructor(to: number) {
    this.#server = net.createServer((near) => {
      const far = net.connect(to, '127.0.0.1')
      this.#carry(near, far, 'out')
      this.#carry(far, near, 'in')
    })
  }

  static async open(to: number): Promise<SilentLine> {
    const line = new SilentLine(to)
    line.#server.listen(0, '127.0.0.1')
    await once(line.#server, 'listening')
    return line
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  cut(ways: readonly Way[]): void {
    for (const way of ways) this.#cut.add(way)
  }

  mend(): void {
    this.#cut.clear()
    for (const { deliver } of this.#held.splice(0)) deliver()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }

  #carry(from: net.Socket, to: net.Socket, way: Way): void {
    this.#sockets.add(from)
    const act = (deliver: () => void) => {
      if (this.#cut.has(way)) this.#held.push({ way, deliver })
      else deliver()
    }
    from.on('data', (data) => act(() => !to.destroyed && to.write(data)))
    from.on('end', () => act(() => to.end()))
    from.on('error', () => act(() => to.destroy()))
    from.on('close', () => {
      this.#sockets.delete(from)
      act(() => to.destroy())
    })
  }
}
