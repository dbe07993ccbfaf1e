import net from 'node:net'
import { Line } from './line.ts'

/** A connection between two programs, which a test breaks and restores. */
export class BreakingLine extends Line {
  readonly #to: number
  #isBroken = false

  private constructor(to: number) {
    super()
    this.#to = to
  }

  static open = (to: number): Promise<BreakingLine> => new BreakingLine(to).listen()

  break(): void {
    this.#isBroken = true
    for (const socket of this.sockets) socket.destroy()
  }

  mend(): void {
    this.#isBroken = false
  }

  protected connect(near: net.Socket): void {
    this.#keep(near)
    if (this.#isBroken) return void near.destroy()
    const far = net.connect(this.#to, '127.0.0.1')
    this.#keep(far)
    near.pipe(far).pipe(near)
    near.on('close', () => far.destroy())
    far.on('close', () => near.destroy())
  }

  #keep(socket: net.Socket): void {
    this.sockets.add(socket)
    socket.on('error', () => socket.destroy())
    socket.on('close', () => this.sockets.delete(socket))
  }
}
