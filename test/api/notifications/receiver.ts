import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Received {
  readonly method: string
  readonly path: string
  readonly headers: http.IncomingHttpHeaders
  readonly body: string
  readonly bytes: Buffer
}

type Answer = (request: Received, response: http.ServerResponse) => void

/** A server that a person could enter in a channel; it responds as the test says. */
export class Receiver implements AsyncDisposable {
  readonly received: Received[] = []
  /** Its response; 204 by default. */
  answer: Answer = (_request, response) => void response.writeHead(204).end()
  readonly #server: http.Server
  readonly #isSecured: boolean

  /** @param leaf certificate for localhost and its key, to speak HTTPS */
  constructor(leaf?: { readonly cert: string; readonly key: string }) {
    const take: http.RequestListener = async (request, response) => {
      const bytes = await buffer(request)
      const one = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: bytes.toString(),
        bytes,
      }
      this.received.push(one)
      this.answer(one, response)
    }
    this.#isSecured = leaf !== undefined
    this.#server = leaf ? https.createServer(leaf, take) : http.createServer(take)
  }

  get host(): string {
    const name = this.#isSecured ? 'localhost' : '127.0.0.1'
    return `${name}:${(this.#server.address() as AddressInfo).port}`
  }

  url(path = '/'): string {
    return `${this.#isSecured ? 'https' : 'http'}://${this.host}${path}`
  }

  /** The requests received at a path. */
  at = (path: string): Received[] => this.received.filter((one) => one.path === path)

  async listen(): Promise<this> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return this
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}

/** Whether a message is signed with a secret, as a receiver checks it. */
export function isSigned({ headers, body }: Received, secret: string): boolean {
  const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
  const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const wanted = `v1,${createHmac('sha256', key).update(content).digest('base64')}`
  return String(headers['webhook-signature']).split(' ').includes(wanted)
}
