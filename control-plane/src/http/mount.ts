import { Readable } from 'node:stream'
import type { ShownLink } from '@lodge/shared/accounts.ts'
import { networkOf } from '@lodge/shared/addresses.ts'
import { VIEWING_HEADER } from '@lodge/shared/viewing.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Actor, User } from '../actor.ts'
import { isRecorded, recordRequest } from '../audit/request.ts'
import { type Ctx, contextFor } from '../context.ts'
import { withPreliminaries } from '../preliminary.ts'
import { nothingHere, Problem } from '../problem.ts'
import type { Services } from '../services.ts'
import { acceptedLanguage } from './accepted-language.ts'
import type { Authenticator } from './authenticate.ts'
import { authenticate } from './authenticate.ts'
import { admit, admitBody, isNew, load, requireReading, requireShort, UUID } from './authorize.ts'
import { httpBudgets, type Rate } from './budgets.ts'
import type { Declared } from './endpoint.ts'
import { type Answer, idempotencyKey, once } from './idempotency.ts'
import { parseInput, parseQuery } from './input.ts'
import { parseReply } from './newer-values.ts'
import { requireOrigin } from './origin.ts'
import { isRaw, rawBodyOf, takeRaw } from './raw-body.ts'
import { isCounted, take } from './throttle.ts'

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor
    /** Its body had not arrived when its caller was admitted. */
    isHeld: boolean
  }
  interface FastifyContextConfig {
    /** The endpoint's key, e.g. `GET /api/servers`: the label in logs and metrics. */
    endpoint?: string
    /** The body is passed on unparsed. */
    rawBody?: boolean
    /** The body is read as it arrives, for as long as it flows. */
    flows?: boolean
  }
}

export interface MountOptions {
  readonly services: Services
  readonly authenticator: Authenticator
  /** Origins allowed for a request to this host. */
  readonly origins: (host: string | undefined) => readonly string[]
  /** Rate of one account's changes. */
  readonly changes: Rate
}

/** What a handler reads from the connection by itself. */
const UPLOAD = 'application/offset+octet-stream'

/**
 * Turns declarations into routes. This is the only place that defines the order of the checks,
 * which is the security policy: authenticate, origin, viewing, throttle, admit (all before the body
 * is read, and again if it came late), load (404), parse, handle, parse the reply.
 */
export function mount(
  app: FastifyInstance,
  routes: Readonly<Record<string, Declared>>,
  options: MountOptions,
): void {
  app.decorateRequest('actor')
  app.decorateRequest('isHeld', false)
  for (const spec of Object.values(routes)) {
    const { body } = spec
    const rawBody = isRaw(body)
    const flows = rawBody ? body.as === 'stream' : spec.streams === UPLOAD
    const answerTo: Handler = (request, reply) => answer(spec, request, reply, options.services)
    if (!rawBody) route(app)
    // In its own router, so that no other endpoint accepts these content types.
    else
      app.register((router, _options, done) => {
        takeRaw(router, body)
        route(router)
        done()
      })
    function route(router: FastifyInstance): void {
      router.route({
        method: spec.alsoHead ? [spec.method, 'HEAD'] : spec.method,
        url: spec.path.replaceAll(/\{(\w+)\}/g, ':$1'),
        ...(spec.maxBodyBytes !== undefined && { bodyLimit: spec.maxBodyBytes }),
        config: { endpoint: `${spec.method} ${spec.path}`, rawBody, flows },
        // Lengths and ranges of files refer to the uncompressed bytes.
        ...(spec.streams === 'application/octet-stream' && { compress: false }),
        onRequest: (request) => admitRequest(spec, request, options),
        ...(!flows && { preHandler: (request) => admitAgain(spec, request, options) }),
        handler: rawBody && flows ? refusing(answerTo) : answerTo,
      })
    }
  }
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

/** Discards the rest of a streamed body when the handler refuses it before its end. */
const refusing =
  (handler: Handler): Handler =>
  async (request, reply) => {
    try {
      return await handler(request, reply)
    } catch (error) {
      if (request.body instanceof Readable) request.body.destroy()
      throw error
    }
  }

async function admitRequest(
  spec: Declared,
  request: FastifyRequest,
  options: MountOptions,
): Promise<void> {
  const { services, authenticator } = options
  if (spec.access.who === 'anyone' && (await spec.access.offered?.(services.db)) === false)
    throw nothingHere()
  request.actor = await callerOf(spec, request, authenticator)
  requireShort(spec, request.actor)
  requireOrigin(request, options.origins(request.headers.host), services.panelUrl)
  requireReading(spec, request.actor, request.headers[VIEWING_HEADER] !== undefined)
  if (isCounted(spec) && request.actor.kind === 'user')
    await take(services.db, httpBudgets.change, budgetKey(request.actor), options.changes)
  if (spec.access.throttle) {
    const key =
      request.actor.kind === 'user' ? budgetKey(request.actor) : networkOf(request.address)
    await take(services.db, spec.access.throttle, key)
  }
  admit(spec.access, request.actor)
  request.isHeld = request.raw.complete === false
}

const callerOf = async (
  { access, method }: Declared,
  request: FastifyRequest,
  authenticator: Authenticator,
): Promise<Actor> =>
  access.who === 'anyone' && method === 'GET'
    ? { kind: 'anyone', address: request.address }
    : authenticate(request, authenticator)

/**
 * Whoever holds a request open and sends its body later does so with the rights that they have then: their
 * session or token may have been revoked in between.
 */
async function admitAgain(
  spec: Declared,
  request: FastifyRequest,
  { authenticator }: MountOptions,
): Promise<void> {
  if (!request.isHeld) return
  request.actor = await callerOf(spec, request, authenticator)
  requireReading(spec, request.actor, request.headers[VIEWING_HEADER] !== undefined)
  admit(spec.access, request.actor)
}

/** Whose budgets a request uses: a plugin has its own. */
const budgetKey = ({ id, plugin }: User): string => (plugin ? `plugin:${plugin.id}` : id)

async function answer(
  spec: Declared,
  request: FastifyRequest,
  reply: FastifyReply,
  services: Services,
): Promise<unknown> {
  const links: ShownLink[] = []
  const isBrowser = request.actor.kind === 'user' && request.actor.scopes === undefined
  const ctx: Ctx = contextFor(services, request.actor, {
    handOver: spec.showsLink && isBrowser ? (link) => void links.push(link) : undefined,
    language: acceptedLanguage(request.headers['accept-language']),
  })
  const params = idsOf(spec, request.params as Readonly<Record<string, string>>)
  admitBody(spec.access, request.actor, request.body)
  const loaded = await load(ctx, spec, params)
  const query = parseQuery(spec.query, request.query)
  const body = bodyOf(spec, request)
  const inputFor = (ctx: Ctx) =>
    ({ ctx, params, query, body, http: { request, reply }, ...loaded }) as never
  await spec.judge?.(inputFor(ctx))
  const work = async (ctx: Ctx): Promise<Answer> => {
    const result = await spec.handle(inputFor(ctx))
    const reply =
      spec.reply && parseReply(spec.reply, result, (unknown) => tellNewer(request, unknown))
    const continues = spec.mayContinue === true && Object.hasOwn(Object(reply), 'jobId')
    return { status: continues ? 202 : (spec.status ?? (spec.reply ? 200 : 204)), reply }
  }
  const recorded = async (ctx: Ctx): Promise<Answer> => {
    const answer = await work(ctx)
    const { reply } = answer
    const linkShown = links.length > 0
    const words = isRaw(spec.body) ? undefined : body
    const given = { params, query, body: words, reply, loaded, linkShown, requestId: request.id }
    await recordRequest(ctx, spec, given)
    return answer
  }
  // A change and its audit entry share one transaction, except where the handler waits for a node.
  const asked = !isRecorded(spec, ctx)
    ? work
    : spec.waits || (isRaw(spec.body) && spec.body.as === 'stream')
      ? recorded
      : (ctx: Ctx) => ctx.transaction(recorded)
  const key = idempotencyKey(spec, request, request.actor)
  const endpoint = `${spec.method} ${spec.path}`
  const { actor } = ctx
  const run = () =>
    key !== undefined && actor.kind === 'user'
      ? once(
          ctx,
          { userId: actor.id, endpoint, key, url: request.url, body: request.body },
          asked,
          spec.waits === true,
        )
      : asked(ctx)
  const answer = await withPreliminaries(ctx, run)
  if (spec.streams) return reply
  // A transaction that is repeated after a deadlock hands over another link than the one rolled back.
  const link = links.at(-1)
  const sent = link ? { ...Object(answer.reply), link } : answer.reply
  // Sent as it is, null would be an empty body.
  if (sent === null)
    return reply.code(answer.status).type('application/json; charset=utf-8').send('null')
  return reply.code(answer.status).send(sent)
}

const tellNewer = ({ log, routeOptions }: FastifyRequest, unknown: readonly unknown[]): void =>
  log.warn(
    { endpoint: routeOptions.config.endpoint, unknown: unknown.slice(0, 5) },
    'the database has values of a newer version',
  )

function bodyOf(spec: Declared, request: FastifyRequest): unknown {
  if (isRaw(spec.body)) return rawBodyOf(spec.body, request.body)
  if (spec.body && (request.body === undefined || request.body === null))
    throw new Problem('empty_body', 'Send a JSON body')
  return parseInput(spec.body, request.body)
}

/** Ids are UUIDs in any case, or `new` where that is declared; anything else cannot exist. */
function idsOf(
  { access }: Declared,
  params: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => {
      if (name !== 'id' && !name.endsWith('Id')) return [name, value]
      if (isNew(access, params) && name === 'id') return [name, value]
      if (!UUID.test(value)) throw nothingHere()
      return [name, value.toLowerCase()]
    }),
  )
}
