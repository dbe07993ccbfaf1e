import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import fastifyStatic from '@fastify/static'
import { DEFAULT_BRANDING } from '@lodge/shared/branding.ts'
import { served } from '@lodge/shared/panel-paths.ts'
import { PROBLEMS } from '@lodge/shared/problems.ts'
import { PUSH_WORKER } from '@lodge/shared/push-worker.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { ALSO_HEAD } from './also-head.ts'
import type { Dress } from './dress.ts'
import { escapeHtml } from './escape-html.ts'
import { serveFrames } from './frames.ts'
import { serveHelp } from './help-pages.ts'
import { PageText, type ServedPages } from './served-page.ts'

const problemPages = path.resolve(import.meta.dirname, '../../../docs/problems')
const NONCE = '__CSP_NONCE__'

/**
 * Scripts and styles only from the panel itself or with the page's nonce; nothing may frame the
 * panel.
 */
const contentSecurityPolicy = (nonce: string) =>
  [
    "default-src 'none'",
    `script-src 'self' 'nonce-${nonce}'`,
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self' blob:",
    "frame-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')

/** The worker that shows notifications may load their pictures and nothing else. */
const WORKER_POLICY = "default-src 'none'; img-src 'self'"

/**
 * Serves the web panel: its files, and the single page for any other address.
 * @param dress gives pages their look; it answers without a database too
 * @param others pages that domains serve themselves
 */
export async function servePages(
  app: FastifyInstance,
  webFolder: string,
  dress: Dress,
  others: ServedPages,
): Promise<void> {
  const indexFile = path.join(webFolder, 'index.html')
  let index: string | undefined
  if (existsSync(webFolder))
    await app.register(fastifyStatic, { root: webFolder, serve: false, preCompressed: true })
  serveFrames(app)
  serveHelp(app, webFolder, dress)
  app.get(served.problem.replace('$', ':'), ALSO_HEAD, async (request, reply) => {
    const { code } = request.params as { code: string }
    if (!Object.hasOwn(PROBLEMS, code)) return reply.callNotFound()
    return reply
      .type('text/markdown; charset=utf-8')
      .send(await readFile(path.join(problemPages, `${code}.md`)))
  })
  const panel = async (request: FastifyRequest, reply: FastifyReply, text?: PageText) => {
    const file = request.url.split('?', 1)[0] ?? '/'
    if (file.startsWith('/api/') || file === '/api' || !existsSync(indexFile))
      return reply.callNotFound()
    if (/^\/(assets\/[\w.-]+|[\w-]+\.(css|svg|png|ico|webmanifest|txt))$/.test(file))
      return asset(reply, file)
    index ??= await readFile(indexFile, 'utf8')
    if (file === PUSH_WORKER) return worker(reply, file)
    const isSafe = new URLSearchParams(request.url.split('?', 2)[1]).get('safe') === '1'
    const page = await dress(titled(index, text?.title), isSafe ? 'safe' : 'panel')
    const nonce = randomBytes(16).toString('base64')
    return reply
      .header('content-security-policy', contentSecurityPolicy(nonce))
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(withText(page.replaceAll(NONCE, nonce), text))
  }
  for (const [address, serve] of Object.entries(others))
    app.get(address.replaceAll('$', ':'), ALSO_HEAD, async (request, reply) => {
      const answer = await serve(request, reply)
      if (answer instanceof PageText) return panel(request, reply.header('vary', READ_BY), answer)
      return answer ?? panel(request, reply)
    })
  app.get('/*', ALSO_HEAD, (request, reply) => panel(request, reply))
}

/** The request header that the texts of pages depend on. */
const READ_BY = 'accept-language'

const titled = (page: string, title: string | undefined): string =>
  title === undefined
    ? page
    : page.replace(
        `<title>${DEFAULT_BRANDING.name}</title>`,
        () => `<title>${escapeHtml(title)} · ${DEFAULT_BRANDING.name}</title>`,
      )

/** Called last, so that no later replacement finds its pattern in this text. */
const withText = (page: string, text: PageText | undefined): string =>
  text === undefined
    ? page
    : page
        .replace('</head>', () => `${text.head}</head>`)
        .replace('<noscript>', () => `<noscript>${text.body ?? ''}`)

/** Built files have a content hash in their names, so they are cached forever and nobody asks about them again. */
const asset = (reply: FastifyReply, file: string): FastifyReply =>
  file.startsWith('/assets/')
    ? reply.sendFile(file.slice(1), {
        maxAge: 31_536_000_000,
        immutable: true,
        etag: false,
        lastModified: false,
        acceptRanges: false,
      })
    : reply.sendFile(file.slice(1), { maxAge: 3_600_000 })

/** Whoever has notifications turned on gets a changed worker at once. */
const worker = (reply: FastifyReply, file: string): FastifyReply =>
  reply
    .header('content-security-policy', WORKER_POLICY)
    .header('x-content-type-options', 'nosniff')
    .sendFile(file.slice(1), { cacheControl: false })
    .header('cache-control', 'no-cache')
