import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import https from 'node:https'
import { text } from 'node:stream/consumers'
import { testAuthority } from '../../agent/src/testing/authority.fixture.ts'

type Kind = 'turnstile' | 'hcaptcha'

/** How the two published protocols differ: their endpoints and error codes. */
const PROTOCOLS = {
  turnstile: {
    path: '/turnstile/v0/siteverify',
    used: 'timeout-or-duplicate',
    expired: 'timeout-or-duplicate',
    lifeMs: 300_000,
    more: { action: 'sign-up', cdata: '' },
  },
  hcaptcha: {
    path: '/siteverify',
    used: 'already-seen-response',
    expired: 'expired-input-response',
    lifeMs: 120_000,
    more: { credit: false },
  },
} as const

/**
 * A captcha provider over TLS with its own certificate authority. It issues responses to its puzzle,
 * each valid once and for a while, and verifies them as documented by Turnstile
 * (developers.cloudflare.com/turnstile, server-side validation) and hCaptcha (docs.hcaptcha.com,
 * verify the user response).
 */
export class CaptchaProvider implements AsyncDisposable {
  readonly siteKey = randomUUID()
  readonly secret = `0x${randomUUID()}`
  readonly authority: string
  /** The forms it received. */
  readonly asked: URLSearchParams[] = []
  /** Replaces the protocol, to simulate an outage. */
  broken: ((response: ServerResponse) => void) | undefined
  readonly #kind: Kind
  readonly #server: https.Server
  readonly #issued = new Map<string, { hostname: string; issuedAt: number; used: boolean }>()

  private constructor(kind: Kind, authority: string, server: https.Server) {
    this.#kind = kind
    this.authority = authority
    this.#server = server
  }

  static async start(kind: Kind): Promise<CaptchaProvider> {
    const { certificate, leaf } = await testAuthority('localhost')
    const server = https.createServer(leaf)
    const provider = new CaptchaProvider(kind, certificate, server)
    server.on('request', (request, response) => void provider.#answer(request, response))
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return provider
  }

  get host(): string {
    const address = this.#server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    return `localhost:${address.port}`
  }

  get url(): string {
    return `https://${this.host}${PROTOCOLS[this.#kind].path}`
  }

  /** The response that a browser gets for a solved puzzle. */
  issue(hostname: string, ageMs = 0): string {
    const response = randomUUID()
    this.#issued.set(response, { hostname, issuedAt: Date.now() - ageMs, used: false })
    return response
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isForm = request.headers['content-type'] === 'application/x-www-form-urlencoded'
    if (request.method !== 'POST' || request.url !== PROTOCOLS[this.#kind].path || !isForm)
      return void response.writeHead(404).end()
    const form = new URLSearchParams(await text(request))
    this.asked.push(form)
    if (this.broken) return this.broken(response)
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify(this.#judge(form)))
  }

  #judge(form: URLSearchParams) {
    const { used, expired, lifeMs, more } = PROTOCOLS[this.#kind]
    const refuse = (code: string) => ({ success: false, 'error-codes': [code] })
    const [secret, response, siteKey] = ['secret', 'response', 'sitekey'].map((key) =>
      form.get(key),
    )
    if (!secret) return refuse('missing-input-secret')
    if (secret !== this.secret) return refuse('invalid-input-secret')
    if (!response) return refuse('missing-input-response')
    const issued = this.#issued.get(response)
    if (!issued) return refuse('invalid-input-response')
    if (siteKey && siteKey !== this.siteKey) return refuse('sitekey-secret-mismatch')
    if (issued.used) return refuse(used)
    issued.used = true
    if (Date.now() - issued.issuedAt > lifeMs) return refuse(expired)
    const challenge_ts = new Date(issued.issuedAt).toISOString()
    return { success: true, challenge_ts, hostname: issued.hostname, 'error-codes': [], ...more }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
  }
}
