import type net from 'node:net'

/** A socket that records what it received. */
export class Ear {
  readonly socket: net.Socket
  text = ''
  readonly closed: Promise<void>
  constructor(socket: net.Socket) {
    this.socket = socket
    socket.on('data', (bytes: Buffer) => {
      this.text += bytes.toString('latin1')
    })
    socket.on('error', () => undefined)
    this.closed = new Promise((resolve) => socket.once('close', () => resolve()))
  }
  async hears(words: string): Promise<void> {
    while (!this.text.includes(words)) {
      await Promise.race([
        new Promise((resolve) => this.socket.once('data', resolve)),
        this.closed.then(() => {
          if (!this.text.includes(words)) throw new Error(`closed after ${this.text}`)
        }),
      ])
    }
  }
}
