import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

/** A connection between two programs on this machine, which a test manipulates. */
export abstract class Line implements AsyncDisposable {
  /** The sockets at both ends. */
  protected readonly sockets = new Set<net.Socket>()
  readonly #server = net.createServer((near) => this.connect(near))

  /** Forwards a new connection to the other program. */
  protected abstract connect(near: net.Socket): void

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  get address(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.sockets) socket.destroy()
    this.#server.close()
  }
}
