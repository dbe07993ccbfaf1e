import type { Api } from '@lodge/control-plane/api'
import type { ProblemDocument } from '@lodge/shared/problems.ts'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'

type Field<Name extends string, T> = [T] extends [undefined]
  ? object
  : [keyof T] extends [never]
    ? object
    : object extends T
      ? { readonly [K in Name]?: T }
      : { readonly [K in Name]: T }
type Given<K extends keyof Api> = Field<'params', Api[K]['params']> &
  Field<'query', Api[K]['query']> &
  Field<'body', Api[K]['body']>
export type Arguments<K extends keyof Api> =
  object extends Given<K> ? [given?: Given<K>] : [given: Given<K>]

export interface Answer<Reply> {
  readonly status: number
  /** The response; a problem document after a refusal. */
  readonly body: Reply
  readonly headers: LightMyRequestResponse['headers']
}

let callers = 0

/** Budgets count by address, so every caller has its own. */
function nextAddress(): string {
  callers += 1
  return `10.${[16, 8, 0].map((bits) => (callers >> bits) & 0xff).join('.')}`
}

/** Calls the API as a browser does: with a cookie jar and an Origin. */
export class Caller {
  id = ''
  email = ''
  cookie: string | undefined
  /** The cookie by which the browser is a known device. */
  device: string | undefined
  /** The cookie that tells pages outside the panel the language of the account. */
  language: string | undefined
  readonly address: string
  readonly #app: FastifyInstance
  readonly #origin: string | undefined

  constructor(
    app: FastifyInstance,
    given: { origin?: string; cookie?: string; address?: string } = {},
  ) {
    this.#app = app
    this.#origin = given.origin
    this.cookie = given.cookie
    this.address = given.address ?? nextAddress()
  }

  named(id: string, email: string): this {
    this.id = id
    this.email = email
    return this
  }

  /** Any request, with the cookie and the Origin unless it sets its own. */
  async send(request: InjectOptions): Promise<LightMyRequestResponse> {
    const response = await this.#app.inject({
      remoteAddress: this.address,
      ...request,
      headers: {
        ...(this.#origin !== undefined && { origin: this.#origin }),
        ...(URL.canParse(this.#origin ?? '') && { host: new URL(this.#origin ?? '').host }),
        ...(this.#cookies() !== '' && { cookie: this.#cookies() }),
        ...request.headers,
      },
    })
    for (const { name, value } of response.cookies) {
      if (name === 'panel_session') this.cookie = value || undefined
      if (name === 'lodge_device') this.device = value || undefined
      if (name === 'panel_language') this.language = value || undefined
    }
    return response
  }

  #cookies(): string {
    const { cookie, device, language } = this
    const named = { panel_session: cookie, lodge_device: device, panel_language: language }
    return Object.entries(named)
      .flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
      .join('; ')
  }

  /** `'POST /api/servers/{id}/actions'` with its input; returns any response. */
  async call<K extends keyof Api>(
    endpoint: K,
    ...[given]: Arguments<K>
  ): Promise<Answer<Api[K]['reply']>> {
    const response = await this.send(requestOf(endpoint, given ?? {}))
    const text = response.body
    return {
      status: response.statusCode,
      body: (text === '' ? undefined : JSON.parse(text)) as Api[K]['reply'],
      headers: response.headers,
    }
  }

  /** The response of a call that must succeed. */
  async must<K extends keyof Api>(endpoint: K, ...given: Arguments<K>): Promise<Api[K]['reply']> {
    const { status, body } = await this.call(endpoint, ...given)
    if (status >= 200 && status < 300) return body
    const problem = body as ProblemDocument | undefined
    throw new Error(`${endpoint} answered ${status} ${problem?.code}: ${problem?.detail}`)
  }
}

interface Loose {
  readonly params?: object
  readonly query?: object
  readonly body?: unknown
}

/** Builds the request of a declared endpoint. */
export function requestOf(endpoint: string, given: Loose): InjectOptions {
  const [method = 'GET', path = '/'] = endpoint.split(' ')
  const params = new Map(Object.entries(given.params ?? {}))
  const url = path.replaceAll(/\{(\w+)\}/g, (_, name) =>
    encodeURIComponent(String(params.get(name) ?? '')),
  )
  const query = Object.fromEntries(
    Object.entries(given.query ?? {}).map(([name, value]) => [name, String(value)]),
  )
  return {
    method: method as 'GET',
    url,
    query,
    ...(given.body !== undefined && {
      payload: JSON.stringify(given.body),
      headers: { 'content-type': 'application/json' },
    }),
  }
}
