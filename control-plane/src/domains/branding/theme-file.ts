import { createHash } from 'node:crypto'
import {
  type Branding,
  IMAGE_KINDS,
  THEME_FORMAT,
  THEME_FORMAT_VERSION,
  type ThemeFile,
} from '@lodge/shared/branding.ts'
import type { z } from 'zod'
import release from '../../../package.json' with { type: 'json' }
import type { Ctx } from '../../context.ts'
import { invalid } from '../../http/input.ts'
import { Problem } from '../../problem.ts'
import { type EncodedImage, encodeImage } from './images.ts'
import { currentLook } from './look.ts'
import { reportOn } from './report.ts'
import { findImage, keepImage } from './store.ts'

type Theme = z.infer<typeof ThemeFile>

/** The look as a file, images included. */
export async function exportTheme(ctx: Ctx): Promise<Theme> {
  const { branding } = await currentLook(ctx.db)
  const images: Theme['images'] = {}
  for (const kind of IMAGE_KINDS) {
    const sha = branding.images[kind]
    const image = sha === null ? undefined : await findImage(ctx.db, kind, sha)
    if (!image) continue
    const { type, bytes } = image
    images[kind] = { type, sha256: image.sha, base64: bytes.toString('base64') }
  }
  return {
    format: THEME_FORMAT,
    formatVersion: THEME_FORMAT_VERSION,
    exportedAt: ctx.now.toISOString(),
    panelVersion: release.version,
    branding,
    images,
  }
}

/**
 * Reads a theme file for review. Its images are encoded anew and stored as if they had been uploaded,
 * unless the file is refused; the look itself does not change.
 * @throws {Problem} `theme_too_new`, `invalid_image`, `validation_failed`
 */
export async function readTheme(ctx: Ctx, { formatVersion, branding, images }: Theme) {
  if (formatVersion > THEME_FORMAT_VERSION)
    throw new Problem(
      'theme_too_new',
      `The file has format ${formatVersion}, and this panel reads ${THEME_FORMAT_VERSION}: update the panel first`,
    )
  const warnings: string[] = []
  const encoded: EncodedImage[] = []
  const used: Branding['images'] = { mark: null, wordmark: null, favicon: null, login: null }
  for (const kind of IMAGE_KINDS) {
    const given = images[kind]
    if (!given) {
      if (branding.images[kind] !== null)
        warnings.push(`The file does not contain the image ${kind}, so the panel’s own is used.`)
      continue
    }
    const bytes = Buffer.from(given.base64, 'base64')
    if (createHash('sha256').update(bytes).digest('hex') !== given.sha256)
      throw invalid([{ pointer: `/images/${kind}/sha256`, detail: 'is not that of the image' }])
    const image = await encodeImage(kind, bytes)
    encoded.push(image)
    used[kind] = image.sha
  }
  const read = { ...branding, images: used }
  const report = reportOn(read)
  // Stores the images only after every check has passed, and all or none.
  await ctx.transaction(async ({ db }) => {
    for (const image of encoded) await keepImage(db, image)
  })
  return { branding: read, report, warnings: [...warnings, ...report.warnings] }
}
