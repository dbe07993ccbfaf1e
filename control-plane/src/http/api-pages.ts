import scalar from '@scalar/fastify-api-reference'
import type { FastifyInstance } from 'fastify'

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

/** Reads the description as a person would: `/docs/api`. */
export async function serveApiPages(app: FastifyInstance): Promise<void> {
  await app.register(async (pages) => {
    pages.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', CONTENT_SECURITY_POLICY)
    })
    await pages.register(scalar, {
      routePrefix: '/docs/api',
      configuration: {
        url: '/api/openapi.json',
        title: 'Lodge API',
        hideTestRequestButton: true,
        hideClientButton: true,
        withDefaultFonts: false,
        telemetry: false,
        agent: { disabled: true },
      },
    })
  })
}
