import type { Api } from '@lodge/control-plane/api'
import type { ProblemDocument } from '@lodge/shared/problems.ts'
import { VIEWING_HEADER } from '@lodge/shared/viewing.ts'
import type { Call } from './command/call.ts'
import { Described, isDescribing } from './command/describe-call.ts'
import { rememberCall } from './command/made-calls.ts'
import { takeEarly } from './early.ts'
import { saidReason } from './panel/said.ts'
import { t } from './words.ts'

export type Key<M extends string = string> = Extract<keyof Api, `${M} ${string}`>

type Given<T> = {
  [K in keyof T as K extends 'reply' | 'may'
    ? never
    : T[K] extends undefined
      ? never
      : undefined extends T[K]
        ? never
        : object extends T[K]
          ? never
          : K]: T[K]
} & {
  query?: T extends { query: infer Q } ? Q : never
  body?: T extends { body: infer B } ? B : never
  /** Sent completely even if the page is closed meanwhile; the body may have at most 64 KiB. */
  keepalive?: boolean
  /** Ends the call. */
  signal?: AbortSignal
}

/** The arguments of `api` after the key: path parameters, query and body, as the endpoint requires them. */
export type Args<K extends Key> =
  object extends Given<Api[K]> ? [input?: Given<Api[K]>] : [input: Given<Api[K]>]
export type Reply<K extends Key> = Api[K]['reply']

/** A problem document, or the same shape if no response arrived. */
export interface Fault extends Pick<ProblemDocument, 'type' | 'title' | 'detail' | 'instance'> {
  readonly status: number
  readonly code: string
  readonly errors?: ProblemDocument['errors']
  /** What already has the name or identity, in a `duplicate` problem. */
  readonly existing?: { readonly id: string; readonly name: string | null }
  /** The challenge of the second step that `sign_in_guarded` still offers. */
  readonly challenge?: string
}

/** An error response of the API, or no response at all (status 0). */
export class ApiError extends Error {
  readonly problem: Fault

  constructor(given: Fault) {
    const problem = saidReason(given)
    super(problem.detail)
    this.name = 'ApiError'
    this.problem = problem
  }
}

interface RawInput {
  readonly params?: object
  readonly query?: object
  readonly body?: unknown
  readonly keepalive?: boolean
  readonly signal?: AbortSignal
}

const noAnswer = (detail: string, status = 0): ApiError =>
  new ApiError({
    type: 'about:blank',
    title: t.noAnswer,
    status,
    code: 'no_answer',
    detail,
    instance: '',
  })

/** Address of one call: path parameters filled in, empty query values left out. */
export function urlOf(path: string, input: RawInput): string {
  const filled = Object.entries(input.params ?? {}).reduce(
    (url, [name, value]) => url.replace(`{${name}}`, encodeURIComponent(String(value))),
    path,
  )
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== null && value !== '') query.set(name, String(value))
  }
  const text = query.toString()
  return text === '' ? filled : `${filled}?${text}`
}

async function refusalOf(response: Response): Promise<ApiError> {
  const type = response.headers.get('content-type') ?? ''
  if (!type.includes('json')) {
    return noAnswer(
      t.answerWas({ status: response.status, text: response.statusText }),
      response.status,
    )
  }
  return new ApiError(await response.json())
}

let prove: (() => Promise<boolean>) | undefined

/** Registers the function that asks people to confirm their identity; it resolves to whether they did. */
export function onProofNeeded(ask: () => Promise<boolean>): void {
  prove = ask
}

const needsProof = (error: unknown): boolean =>
  error instanceof ApiError && error.problem.code === 'reauthentication_required'

let viewing = false

/** Marks requests of this page as viewing a customer, so that the server refuses changes. */
export function viewOnly(only: boolean): void {
  viewing = only
}

async function call(key: string, raw: RawInput) {
  const [method = 'GET', path = ''] = key.split(' ')
  const url = urlOf(path, raw)
  const early = method === 'GET' ? await takeEarly(url) : undefined
  const response = early ?? (await send(key, method, url, raw))
  if (!response.ok) throw await refusalOf(response)
  return response.status === 204 ? undefined : response.json()
}

const described = (key: string, url: string, body: unknown): Call => ({
  key,
  url,
  ...(body === undefined ? {} : { body }),
})

async function send(key: string, method: string, url: string, raw: RawInput): Promise<Response> {
  if (method !== 'GET') {
    if (isDescribing()) throw new Described(described(key, url, raw.body))
    rememberCall(described(key, url, raw.body))
  }
  return fetch(url, {
    method,
    credentials: 'same-origin',
    keepalive: raw.keepalive ?? false,
    ...(raw.signal && { signal: raw.signal }),
    headers: {
      ...(raw.body === undefined ? {} : { 'content-type': 'application/json' }),
      // The server refuses changes even if this page does not know yet that the viewing has ended.
      ...(viewing ? { [VIEWING_HEADER]: 'yes' } : {}),
    },
    ...(raw.body === undefined ? {} : { body: JSON.stringify(raw.body) }),
  }).catch(() => {
    throw noAnswer(t.notReached)
  })
}

/**
 * Calls one endpoint; the key is method and path as declared, e.g. `GET /api/servers/{id}`.
 * Resolves to the parsed reply (undefined for 204) and rejects with an `ApiError`. Repeats a call
 * refused for a missing step-up once the person has confirmed their identity.
 */
export async function api<K extends Key>(key: K, ...[input]: Args<K>): Promise<Reply<K>> {
  const raw: RawInput = input ?? {}
  try {
    return await call(key, raw)
  } catch (error) {
    if (prove === undefined || !needsProof(error) || !(await prove())) throw error
    return call(key, raw)
  }
}
