import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'

/** A line between two programs on this machine, with which a test does something. */
export abstract class Line implements AsyncDisposable {
  /** Those of both ends. */
  protected readonly sockets = new Set<net.Socket>()
  readonly #server = net.createServer((near) => this.connect(near))

  /** Leads one that connected to the other program. */
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
