import { createHash } from 'node:crypto'
import type { ImageKind } from '@lodge/shared/branding.ts'
import type { Ctx } from '../../context.ts'
import type { Exchange } from '../../http/endpoint.ts'
import { notFound } from '../../problem.ts'
import { currentLook, keptByVersion } from './look.ts'
import { findImage } from './store.ts'
import { styleSheetOf } from './style-sheet.ts'

/** The content behind a digest never changes, but an image without one in its URL may. */
const CACHE = 'public, max-age=10, stale-while-revalidate=86400'

/** Answers with an image; 304 if the browser has it. */
export async function sendImage(
  ctx: Ctx,
  kind: ImageKind,
  sha: string,
  { request, reply }: Exchange,
): Promise<void> {
  const etag = `"${sha}"`
  reply.headers({
    etag,
    'cache-control': CACHE,
    'x-content-type-options': 'nosniff',
    'content-security-policy': "default-src 'none'; sandbox",
  })
  if (request.headers['if-none-match'] === etag) return void (await reply.code(304).send())
  const image = await findImage(ctx.db, kind, sha)
  if (!image) throw notFound('image')
  await reply.type(image.type).send(image.bytes)
}

const styleOf = (isSafe: boolean) =>
  keptByVersion((branding) => {
    const css = styleSheetOf(branding, isSafe)
    return { css, etag: `"${createHash('sha256').update(css).digest('hex').slice(0, 32)}"` }
  })
const style = styleOf(false)
const safeStyle = styleOf(true)

/** Answers with the style sheet of the current look; 304 if the browser has it. */
export async function sendStyle(
  ctx: Ctx,
  isSafe: boolean,
  { request, reply }: Exchange,
): Promise<void> {
  const { css, etag } = (isSafe ? safeStyle : style)(await currentLook(ctx.db))
  reply.headers({ etag, 'cache-control': CACHE, 'x-content-type-options': 'nosniff' })
  if (request.headers['if-none-match'] === etag) return void (await reply.code(304).send())
  await reply.type('text/css; charset=utf-8').send(css)
}
