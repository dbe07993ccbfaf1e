import type { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { z } from 'zod'
import type { ActionWords } from '../audit/words.ts'
import type { Ctx } from '../context.ts'
import type { Access, CallerOf, Known, LoadedBy } from './access.ts'
import type { RawBody } from './raw-body.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'
type Schema = z.ZodType | undefined
/** `makesServer`: the reply is a server, whose id becomes the target of the audit entry. */
export type Recorded =
  | false
  | string
  | (ActionWords & {
      readonly makesServer?: true
      /** Fields of the body that are secret although their names do not say so. */
      readonly leavesOut?: readonly string[]
      /** The files are not in the request, but in the `items` of the answer. */
      readonly repliesPaths?: true
    })
/** A schema for JSON, or a raw body. */
type Body = Schema | RawBody
type ParamsOf<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { readonly [K in Name]: string } & ParamsOf<Rest>
  : object
type Out<S> = S extends z.ZodType
  ? z.output<S>
  : S extends RawBody<'bytes'>
    ? Buffer
    : S extends RawBody<'stream'>
      ? Readable
      : undefined
/** The panel's client sends only JSON, so it cannot call endpoints with a raw body. */
type In<S> = S extends z.ZodType ? z.input<S> : S extends RawBody ? never : undefined

/** Access to the HTTP exchange itself: cookies, addresses, streams. */
export interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

interface Spec<Path extends string, A, Query, Body, Reply> {
  readonly summary: string
  readonly access: A & Known<A>
  readonly query?: Query
  /** A JSON schema, or `bytesBody` or `streamBody` for raw bodies. */
  readonly body?: Body
  /** Larger JSON bodies get 413; 1 MiB if not declared. */
  readonly maxBodyBytes?: number
  readonly reply?: Reply
  readonly status?: 200 | 201 | 202 | 204
  /** Larger work goes on as a job: a reply with a `jobId` is answered with 202. */
  readonly mayContinue?: boolean
  /** The handler writes the response itself, with this content type (streams, downloads). */
  readonly streams?: string
  /** Also answers HEAD, without the body (RFC 9110). Only for endpoints that change nothing. */
  readonly alsoHead?: boolean
  /** The reply contains a secret shown only once, so it is not stored for idempotent retries. */
  readonly shownOnce?: boolean
  /**
   * It mails a link. Without a mail server, the response to a browser carries it as `link`, once:
   * it is neither stored for idempotent retries nor logged.
   */
  readonly showsLink?: boolean
  /**
   * It waits for a node or another machine, so it must not run inside a transaction. A `streamBody`
   * always waits for its sender.
   */
  readonly waits?: boolean
  /**
   * Wording of the audit entry, such as `deleted {target}`. Every change by a person is recorded;
   * `false` for requests not worth an entry, e.g. reads.
   */
  readonly recorded?: Recorded
  /**
   * Verifies a secret in the body, such as a password or a code, before and outside the transaction
   * of the change, so that a counted failure is not rolled back with the refused request. Such an
   * endpoint takes no `Idempotency-Key`.
   */
  judge?(input: Input<Path, A, Query, Body>): Promise<void>
  handle(input: Input<Path, A, Query, Body>): Promise<In<Reply> | void>
}

type Input<Path extends string, A, Query, Body> = {
  readonly ctx: Ctx<CallerOf<A>>
  readonly params: ParamsOf<Path>
  readonly query: Out<Query>
  readonly body: Out<Body>
  readonly http: Exchange
} & LoadedBy<A>

export interface Endpoint<M extends Method, Path extends string, A, Query, Body, Reply>
  extends Spec<Path, A, Query, Body, Reply> {
  readonly method: M
  readonly path: Path
}

const endpoint =
  <M extends Method>(method: M) =>
  <
    const Path extends `/api/${string}` | '/health' | '/ready' | '/metrics',
    const A extends Access,
    Query extends Schema = undefined,
    Sent extends Body = undefined,
    Reply extends Schema = undefined,
  >(
    path: Path,
    spec: Spec<Path, A, Query, Sent, Reply>,
  ): Endpoint<M, Path, A, Query, Sent, Reply> => ({ method, path, ...spec })

/**
 * Declares one endpoint: path, access, input, reply and handler in one literal. Routes, OpenAPI
 * document, access matrix and the typed web client are derived from it.
 */
export const get = endpoint('GET')
export const post = endpoint('POST')
export const put = endpoint('PUT')
export const patch = endpoint('PATCH')
export const del = endpoint('DELETE')
export const options = endpoint('OPTIONS')

/** An endpoint with its types erased, as mount, OpenAPI and access matrix use it. */
export interface Declared {
  readonly method: Method
  readonly path: string
  readonly summary: string
  readonly access: Access
  readonly query?: Schema
  readonly body?: Body
  readonly maxBodyBytes?: number
  readonly reply?: Schema
  readonly status?: 200 | 201 | 202 | 204
  readonly mayContinue?: boolean
  readonly streams?: string
  readonly alsoHead?: boolean
  readonly shownOnce?: boolean
  readonly showsLink?: boolean
  readonly waits?: boolean
  readonly recorded?: Recorded
  judge?(input: never): Promise<void>
  handle(input: never): Promise<unknown>
}

type Sent<S> = [Exclude<S, undefined>] extends [never] ? undefined : In<Exclude<S, undefined>>
type Got<S> = [Exclude<S, undefined>] extends [never] ? undefined : Out<Exclude<S, undefined>>

/** The web client's view: maps `'GET /api/servers/{id}'` to its input and reply. */
export type ApiOf<Routes extends Record<string, Declared>> = {
  [Name in keyof Routes as `${Routes[Name]['method']} ${Routes[Name]['path']}`]: {
    params: ParamsOf<Routes[Name]['path']>
    query: Sent<Routes[Name]['query']>
    body: Sent<Routes[Name]['body']>
    reply: Got<Routes[Name]['reply']>
    /** The permission that the endpoint declares. */
    may: Routes[Name]['access'] extends { readonly may: infer May } ? May : undefined
  }
}
