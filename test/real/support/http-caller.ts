import type { Api } from '@lodge/control-plane/api'
import type { ProblemDocument } from '@lodge/shared/problems.ts'
import { type Arguments, requestOf } from '../../support/caller.ts'

/** The response; status 0 without one. */
export interface HttpAnswer<Reply> {
  readonly status: number
  readonly body: Reply
}

/** The first administrator of a panel that tests start. */
export const ADMINISTRATOR = { email: 'root@example.com', password: 'a long and quiet evening' }

const PATIENCE_MS = 30_000

/** Calls the API over a real connection, as a browser does. */
export class HttpCaller {
  readonly origin: string
  cookie = ''

  constructor(origin: string) {
    this.origin = origin
  }

  async call<K extends keyof Api>(
    endpoint: K,
    ...[given]: Arguments<K>
  ): Promise<HttpAnswer<Api[K]['reply']>> {
    const { method, url, query, payload, headers } = requestOf(endpoint, given ?? {})
    const where = new URL(String(url), this.origin)
    where.search = new URLSearchParams(query as Record<string, string>).toString()
    try {
      const response = await fetch(where, {
        method: String(method),
        headers: {
          ...(headers as Record<string, string>),
          origin: this.origin,
          cookie: this.cookie,
        },
        ...(payload !== undefined && { body: String(payload) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      for (const line of response.headers.getSetCookie())
        if (line.startsWith('panel_session=')) this.cookie = line.split(';')[0] ?? ''
      const text = await response.text()
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) }
    } catch {
      // The connection broke: it is unknown whether the request was done.
      return { status: 0, body: undefined as Api[K]['reply'] }
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
