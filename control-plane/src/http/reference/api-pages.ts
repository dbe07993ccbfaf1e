import Fastify, { type FastifyInstance } from 'fastify'
import type { Dress } from '../dress.ts'

/** The reference uses its own inline script and styles and loads nothing from elsewhere. */
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
/**
 * Hides the vendor link, for which the reference has no option; its licence does not require it.
 */
const QUIET = 'a[href^="https://www.scalar.com"] { display: none }'
const PREFIX = '/docs/api'
/**
 * Headers copied from the inner application; the others describe its connection, which does not
 * exist.
 */
const HEADERS = ['content-type', 'location', 'cache-control', 'etag']

/**
 * Serves the API reference at `/docs/api`. The renderer is large, so it is loaded on first use,
 * into a separate application.
 */
export async function serveApiPages(app: FastifyInstance, dress: Dress): Promise<void> {
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
        .send(isPage(answer) ? await dress(titled(answer.payload), 'document') : answer.rawPayload)
    })
  }
}

const isPage = ({ headers }: { readonly headers: object }): boolean =>
  'content-type' in headers && String(headers['content-type']).startsWith('text/html')

/** Under our title and icon instead of the renderer's. */
const titled = (html: string): string =>
  html.replace(
    /<title>[^<]*<\/title>/,
    '<title>API reference · Lodge</title><link rel="icon" href="/favicon.svg">',
  )

async function openReference(): Promise<FastifyInstance> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const reference = Fastify()
  await reference.register(scalar, {
    routePrefix: PREFIX,
    configuration: {
      url: '/api/openapi.json',
      hideTestRequestButton: true,
      hideClientButton: true,
      withDefaultFonts: false,
      telemetry: false,
      // Vendor features that would send what the reader views to third parties.
      agent: { disabled: true },
      mcp: { disabled: true },
      showDeveloperTools: 'never',
      customCss: QUIET,
    },
  })
  return reference
}
