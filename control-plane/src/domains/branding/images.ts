import { createHash } from 'node:crypto'
import { type ImageKind, MAX_IMAGE_BYTES, MAX_IMAGE_PIXELS } from '@lodge/shared/branding.ts'
import { pictureType } from '@lodge/shared/picture-type.ts'
import type { Ctx } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { cleanSvg } from './clean-svg.ts'
import { keepImage } from './store.ts'

/** The box into which an image of each kind fits, pixels. */
const BOXES: Readonly<Record<ImageKind, { width: number; height: number }>> = {
  mark: { width: 256, height: 256 },
  wordmark: { width: 800, height: 200 },
  favicon: { width: 128, height: 128 },
  login: { width: 1600, height: 1200 },
}

/** The format of a picture, detected from its content; undefined for one that is not accepted. */
function formatOf(bytes: Buffer): 'raster' | 'svg' | undefined {
  const type = pictureType(bytes.toString('latin1', 0, 16))
  if (type) return type === 'gif' ? undefined : 'raster'
  return /^\uFEFF?\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*<svg[\s>]/.test(
    bytes.toString('utf8', 0, 4096),
  )
    ? 'svg'
    : undefined
}

/**
 * Decodes a picture and encodes it anew in the required size, so that no byte of the uploaded file is
 * ever served.
 * @throws {Problem} `invalid_image`
 */
export async function encodeImage(kind: ImageKind, bytes: Buffer) {
  const refused = (detail: string, cause?: unknown) =>
    new Problem('invalid_image', detail, { cause })
  if (bytes.length === 0) throw refused('The file is empty: choose another')
  if (bytes.length > MAX_IMAGE_BYTES)
    throw new Problem('payload_too_large', `An image may have ${MAX_IMAGE_BYTES / 1024} KiB`)
  const format = formatOf(bytes)
  if (!format) throw refused('Choose a PNG, JPEG, WebP or SVG picture')
  const source = format === 'svg' ? Buffer.from(cleanSvg(bytes.toString('utf8'))) : bytes
  // Loads native code, so only on the first upload.
  const { default: sharp } = await import('sharp')
  try {
    const read = sharp(source, {
      limitInputPixels: MAX_IMAGE_PIXELS * MAX_IMAGE_PIXELS,
      failOn: 'error',
      animated: false,
    })
    const { width, height } = await read.metadata()
    if (width > MAX_IMAGE_PIXELS || height > MAX_IMAGE_PIXELS)
      throw refused(`Choose a picture of at most ${MAX_IMAGE_PIXELS} pixels a side`)
    const fitted = read
      .rotate()
      .resize({ ...BOXES[kind], fit: 'inside', withoutEnlargement: format !== 'svg' })
    const encoded = kind === 'login' ? fitted.webp({ quality: 85 }) : fitted.png()
    const { data, info } = await encoded.toBuffer({ resolveWithObject: true })
    return {
      kind,
      sha: createHash('sha256').update(data).digest('hex'),
      type: kind === 'login' ? 'image/webp' : 'image/png',
      width: info.width,
      height: info.height,
      bytes: data,
    }
  } catch (error) {
    if (error instanceof Problem) throw error
    throw refused(
      'The picture could not be read: export it anew, and not larger than 2048 pixels',
      error,
    )
  }
}

/** An image as it is stored and served. */
export type EncodedImage = Awaited<ReturnType<typeof encodeImage>>

/** Stores an uploaded image. It is used once a look with its digest is saved. */
export async function uploadImage(ctx: Ctx, kind: ImageKind, bytes: Buffer) {
  const image = await encodeImage(kind, bytes)
  await keepImage(ctx.db, image)
  const { bytes: encoded, ...shown } = image
  return { ...shown, sizeBytes: encoded.length }
}
