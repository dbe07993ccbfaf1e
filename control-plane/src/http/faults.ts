import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { isDatabaseAway } from '../db/database.ts'
import { nothingHere, Problem } from '../problem.ts'
import { isDiskFull, type Storage } from '../storage.ts'
import type { Declared } from './endpoint.ts'

/** Answers every failure as problem+json from the catalogue, without internal details. */
export function answerFaults(app: FastifyInstance, storage: Storage): void {
  app.setErrorHandler((error: unknown, request, reply) =>
    send(storageProblem(error, request, storage) ?? problemOf(error, request), request, reply),
  )
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodsAt(app.declaredRoutes, request.url)
    if (allowed.length > 0 && !allowed.includes(request.method)) {
      reply.header('allow', allowed.join(', '))
      return send(
        new Problem('method_not_allowed', `Use ${allowed.join(' or ')} here`),
        request,
        reply,
      )
    }
    return send(nothingHere(), request, reply)
  })
}

/** Failures before routing, e.g. an undecodable URL. */
export function answerFrameworkFault(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  reply.header('x-request-id', request.id)
  reply.header('x-content-type-options', 'nosniff')
  send(problemOf(error, request), request, reply)
}

/** Methods declared for the path of a URL. */
function methodsAt(routes: readonly Declared[], url: string): string[] {
  const segments = (url.split('?', 1)[0] ?? url).split('/')
  const fitting = routes.filter((spec) => {
    const parts = spec.path.split('/')
    return (
      parts.length === segments.length &&
      parts.every((part, at) => part.startsWith('{') || part === segments[at])
    )
  })
  return [...new Set(fitting.map((spec) => spec.method))].sort()
}

declare module 'fastify' {
  interface FastifyInstance {
    declaredRoutes: readonly Declared[]
  }
}

function send(problem: Problem, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (problem.retryAfterSeconds !== undefined)
    reply.header('retry-after', problem.retryAfterSeconds)
  if (problem.status === 401) reply.header('www-authenticate', 'Bearer')
  return reply
    .code(problem.status)
    .header('cache-control', 'no-store')
    .type('application/problem+json; charset=utf-8')
    .send(JSON.stringify(problem.document(request.id)))
}

const FASTIFY_FAULTS: Readonly<Record<string, Problem>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: new Problem('unsupported_media_type', 'Send application/json'),
  FST_ERR_CTP_EMPTY_JSON_BODY: new Problem('empty_body', 'Send a JSON body'),
  FST_ERR_CTP_INVALID_JSON_BODY: new Problem('malformed_json', 'The body is not valid JSON'),
  FST_ERR_CTP_BODY_TOO_LARGE: new Problem(
    'payload_too_large',
    'The body is larger than this address accepts',
  ),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: new Problem(
    'malformed_json',
    'The body is shorter or longer than announced',
  ),
  FST_ERR_MAX_PARAM_LENGTH: nothingHere(),
  FST_ERR_BAD_URL: nothingHere(),
}

function problemOf(error: unknown, request: FastifyRequest): Problem {
  if (error instanceof Problem) return error
  const fault = error as Partial<FastifyError>
  const known = fault.code === undefined ? undefined : FASTIFY_FAULTS[fault.code]
  if (known) return known
  if (error instanceof SyntaxError)
    return new Problem('malformed_json', 'The body is not valid JSON')
  if (isDatabaseAway(error)) {
    request.log.warn({ err: error }, 'database not available')
    return new Problem(
      'database_unavailable',
      'The database is not available: try again in a moment',
      { retryAfterSeconds: 2 },
    )
  }
  if (typeof fault.statusCode === 'number' && fault.statusCode >= 400 && fault.statusCode < 500) {
    return new Problem('validation_failed', 'The request is not valid')
  }
  request.log.error({ err: error }, 'request failed')
  return new Problem(
    'internal_error',
    'The fault is on our side. It is recorded under the request id',
  )
}

/**
 * If the database is down because its disk is full, waiting does not help, so do not suggest a
 * retry.
 */
function storageProblem(
  error: unknown,
  request: FastifyRequest,
  storage: Storage,
): Problem | undefined {
  const isFull = isDiskFull(error) || (isDatabaseAway(error) && storage.look().level === 'full')
  if (!isFull) return undefined
  request.log.error({ err: error, code: 'storage_full' }, 'the disk is full')
  return new Problem(
    'storage_full',
    'The disk of the control plane is full, and nothing was changed: whoever runs this panel has to free space on it',
    { retryAfterSeconds: 60 },
  )
}
