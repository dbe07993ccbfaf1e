import { randomUUID } from 'node:crypto'
import http from 'node:http'
import compress from '@fastify/compress'
import cookie from '@fastify/cookie'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Logger } from 'pino'
import type { Storage } from '../storage.ts'
import { setClientAddresses } from './addresses.ts'
import { BODY_PACE, type BodyPace, letFlow, limitBody } from './body-pace.ts'
import type { Declared } from './endpoint.ts'
import { answerFaults, answerFrameworkFault } from './faults.ts'
import { checkJson, requirePlainText } from './input.ts'
import { requireOneHost } from './origin.ts'
import { requireUnpacked } from './raw-body.ts'

const BODY_LIMIT_BYTES = 1_048_576

declare module 'fastify' {
  interface FastifyInstance {
    readonly bodyPace: BodyPace
  }
}

/** A Fastify instance with our limits, error handling and headers, without routes. */
export async function createApp(options: {
  readonly log: Logger
  readonly trustedProxies: readonly string[]
  readonly routes: Readonly<Record<string, Declared>>
  readonly storage: Storage
}): Promise<FastifyInstance> {
  const loggerInstance: FastifyBaseLogger = options.log
  const bodyPace = { ...BODY_PACE }
  const app = Fastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_LIMIT_BYTES,
    // The ports hand it connections, plain or decrypted, so it does not listen itself.
    serverFactory: (handler) =>
      http.createServer(
        {
          // Heads have their limit below, bodies theirs in `body-pace.ts`.
          requestTimeout: 0,
          headersTimeout: 10_000,
          keepAliveTimeout: 65_000,
          connectionsCheckingInterval: 2_000,
          maxHeaderSize: 16_384,
        },
        (request, response) => {
          limitBody(request, response, bodyPace)
          handler(request, response)
        },
      ),
    // A HEAD of an endless stream would never end.
    exposeHeadRoutes: false,
    trustProxy: options.trustedProxies.length > 0 ? [...options.trustedProxies] : false,
    genReqId: () => randomUUID(),
    routerOptions: { maxParamLength: 512 },
    onProtoPoisoning: 'error',
    onConstructorPoisoning: 'error',
    frameworkErrors: answerFrameworkFault,
  })
  setClientAddresses(app, options.trustedProxies)
  app.removeContentTypeParser('text/plain')
  // Uploads are not buffered: their handlers read them from the connection in pieces.
  app.addContentTypeParser('application/offset+octet-stream', (_request, _body, done) => done(null))
  app.decorate('declaredRoutes', Object.values(options.routes))
  app.decorate('bodyPace', bodyPace)
  app.addHook('onRequest', async ({ raw }) => requireOneHost(raw))
  app.addHook('preParsing', async (request, _reply, payload) => {
    if (request.routeOptions.config.rawBody) requireUnpacked(request)
    else requirePlainText(request)
    if (request.routeOptions.config.flows) letFlow(request.raw, bodyPace)
    return payload
  })
  // Check every JSON body, even one its endpoint ignores, because it is still hashed and recorded.
  app.addHook('preValidation', async ({ body, routeOptions }) => {
    if (!routeOptions.config.rawBody) checkJson(body)
  })
  await app.register(cookie)
  await app.register(compress, { threshold: 2048, encodings: ['br', 'gzip'] })
  answerFaults(app, options.storage)
  app.addHook('onSend', async (request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
    // A first visit loads a dozen of the panel's files, which need neither headers of documents nor an id.
    if (request.url.startsWith('/assets/') && reply.statusCode < 300) return
    reply.header('x-request-id', request.id)
    reply.header('referrer-policy', 'same-origin')
    if (request.url.startsWith('/api/') && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store')
  })
  app.addHook('onResponse', async (request, reply) => {
    request.log.info(
      {
        requestId: request.id,
        endpoint: request.routeOptions.config.endpoint ?? 'none',
        status: reply.statusCode,
        durationMs: Math.round(reply.elapsedTime * 10) / 10,
        actor: request.actor?.kind === 'user' ? request.actor.id : request.actor?.kind,
        ...(request.actor?.kind === 'user' && { viewer: request.actor.viewer?.id }),
      },
      'request',
    )
  })
  return app
}
