import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

/** A line between two programs, which a test breaks and mends. */
export class BreakingLine implements AsyncDisposable {
  readonly #server: net.Server
  readonly #sockets = new Set<net.Socket>()
  #isBroken = false

  private constructor(to: number) {
    this.#server = net.createServer((near) => {
      this.#keep(near)
      if (this.#isBroken) return near.destroy()
      const far = net.connect(to, '127.0.0.1')
      this.#keep(far)
      near.pipe(far).pipe(near)
      near.on('close', () => far.destroy())
      far.on('close', () => near.destroy())
    })
  }

  static async open(to: number): Promise<BreakingLine> {
    const line = new BreakingLine(to)
    line.#server.listen(0, '127.0.0.1')
    await once(line.#server, 'listening')
    return line
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  break(): void {
    this.#isBroken = true
    for (const socket of this.#sockets) socket.destroy()
  }

  mend(): void {
    this.#isBroken = false
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.break()
    this.#server.close()
  }

  #keep(socket: net.Socket): void {
    this.#sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.#sockets.delete(socket))
  }
}
