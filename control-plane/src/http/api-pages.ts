import Fastify, { type FastifyInstance } from 'fastify'

/** The reference brings its own inline script and styles; nothing of it is loaded from elsewhere. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self' 'unsafe-inline'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self' data:",
  "connect-src 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')
/** The reference has no switch for the line about its maker; its licence does not ask for one. */
const QUIET = 'a[href^="https://www.scalar.com"] { display: none }'
const PREFIX = '/docs/api'
/** Of the answers of the inner application; the others are about its connection, which there is none of. */
const HEADERS = ['content-type', 'location', 'cache-control', 'etag']

/**
 * Reads the description as a person would: `/docs/api`. What draws it is large, so it is loaded when
 * somebody asks for it first, into an application of its own.
 */
export async function serveApiPages(app: FastifyInstance): Promise<void> {
  let opened: Promise<FastifyInstance> | undefined
  for (const url of [PREFIX, `${PREFIX}/*`]) {
    app.get(url, async (request, reply) => {
      opened ??= openReference().catch((error: unknown) => {
        opened = undefined
        throw error
      })
      const answer = await (await opened).inject({ method: 'GET', url: request.url })
      for (const name of HEADERS) {
        const value = answer.headers[name]
        if (value !== undefined) reply.header(name, value)
      }
      return reply
        .code(answer.statusCode)
        .header('content-security-policy', CONTENT_SECURITY_POLICY)
        .send(answer.rawPayload)
    })
  }
}

async function openReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const reference = Fastify()
  await reference.register(scalar, {
    routePrefix: PREFIX,
    configuration: {
      url: '/api/openapi.json',
      title: 'Lodge API',
      favicon: '/favicon.svg',
      hideTestRequestButton: true,
      hideClientButton: true,
      withDefaultFonts: false,
      telemetry: false,
      // What its maker sells, and tools that would send what one looks at to somebody else.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      customCss: QUIET,
    },
  })
  return reference
}
