import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import sodium from 'libsodium-wrappers'

/** The library's actual return type; its declarations have only the overload for strings. */
interface KeyPair {
  readonly publicKey: Uint8Array
  readonly privateKey: Uint8Array
}
type Answer = readonly [status: number, body: object]

/** A request to the code-hosting service. */
interface Received {
  readonly path: string
  readonly authorization: string | undefined
  readonly body: Record<string, unknown>
}

/** GitHub as documented: device authorization, the account, and issues. */
export class CodeHost implements AsyncDisposable {
  readonly received: Received[] = []
  /** The response to requests for the token. */
  token: Answer = [200, { access_token: 'gho_of-a-test', token_type: 'bearer' }]
  /** The response to posted issues. */
  issue: Answer = [201, { number: 1 }]
  readonly keys: KeyPair
  readonly #server = http.createServer(async (request, response) => {
    const path = request.url ?? ''
    const { authorization } = request.headers
    const body = request.method === 'POST' ? ((await json(request)) as Received['body']) : {}
    this.received.push({ path, authorization, body })
    const [status, answer] = this.#answer(path)
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })

  private constructor(keys: KeyPair) {
    this.keys = keys
  }

  static async listen(): Promise<CodeHost> {
    await sodium.ready
    const host = new CodeHost(sodium.crypto_box_keypair())
    host.#server.listen(0, '127.0.0.1')
    await once(host.#server, 'listening')
    return host
  }

  get address(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }

  /** The settings for an administrator to enter. */
  get config() {
    return {
      repository: 'lodge/intake',
      clientId: 'Iv1.0123456789abcdef',
      publicKeyBase64: Buffer.from(this.keys.publicKey).toString('base64'),
    }
  }

  /** The decrypted bodies of the issues. */
  reports(): unknown[] {
    return this.received
      .filter(({ path }) => path === '/api/v3/repos/lodge/intake/issues')
      .map(({ body }) =>
        JSON.parse(
          Buffer.from(
            sodium.crypto_box_seal_open(
              Buffer.from(String(body.body), 'base64'),
              this.keys.publicKey,
              this.keys.privateKey,
            ),
          ).toString(),
        ),
      )
  }

  #answer(path: string): Answer {
    switch (path) {
      case '/login/device/code':
        return [
          200,
          {
            device_code: 'secret-device-code',
            user_code: 'ABCD-1234',
            verification_uri: `${this.address}/login/device`,
            expires_in: 900,
            interval: 5,
          },
        ]
      case '/login/oauth/access_token':
        return this.token
      case '/api/v3/user':
        return [200, { login: 'a-host' }]
      default:
        return this.issue
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections()
    this.#server.close()
    await once(this.#server, 'close')
  }
}
