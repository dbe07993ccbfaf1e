import { type PictureType, pictureType } from '../picture-type.ts'
import { isGlyph } from './glyphs.ts'
import { pictureSize } from './picture-size.ts'

/** Maximum size of an icon, decoded. */
export const ICON_BYTES_MAX = 1_048_576
/**
 * Maximum width and height of an icon: a few kilobytes can declare a picture for which a browser
 * needs gigabytes.
 */
export const ICON_PIXELS_MAX = 1024

/** The icon with the type that its bytes have; the text itself when they are no accepted picture. */
export function withTrueType(icon: string): string {
  const match = /^data:image\/[\w.+-]{1,40};base64,([A-Za-z0-9+/]+={0,2})$/.exec(icon)
  const type = match?.[1] && pictureType(decoded(match[1].slice(0, 64)) ?? '')
  return type ? `data:image/${type};base64,${match[1]}` : icon
}

/** The bytes of base64 text, one character each; undefined when it is not base64. */
function decoded(base64: string): string | undefined {
  try {
    return atob(base64)
  } catch {
    return undefined
  }
}

/** Why a text is not a valid icon, in words; undefined when it is. */
export function whyNotIcon(icon: string): string | undefined {
  if (/^[a-z0-9-]{1,32}$/.test(icon))
    return isGlyph(icon) ? undefined : `"${icon}" is not an icon of the panel`
  const match = /^data:image\/(png|jpeg|gif|webp);base64,([A-Za-z0-9+/]+={0,2})$/.exec(icon)
  if (!match?.[1] || !match[2]) return 'must be a PNG, JPEG, WebP or GIF picture as a data: URL'
  if (match[2].length * 0.75 > ICON_BYTES_MAX) return 'must not be larger than 1 MiB'
  const bytes = decoded(match[2])
  if (bytes === undefined) return 'is not valid base64'
  const type = pictureType(bytes)
  if (type !== match[1]) return 'is not the picture that it says it is'
  return whyNotSize(type, bytes)
}

function whyNotSize(type: PictureType, bytes: string): string | undefined {
  const size = pictureSize(type, bytes)
  if (!size) return 'is damaged: its width and height cannot be read'
  const { width, height } = size
  return Math.max(width, height) <= ICON_PIXELS_MAX
    ? undefined
    : `has ${width} × ${height} pixels: scale it down to at most ${ICON_PIXELS_MAX} × ${ICON_PIXELS_MAX}`
}

/** The picture of a valid icon as bytes with their type; undefined for one of the set. */
export function pictureOf(icon: string): { type: string; base64: string } | undefined {
  const match = /^data:(image\/(?:png|jpeg|gif|webp));base64,([A-Za-z0-9+/]+={0,2})$/.exec(icon)
  return match?.[1] && match[2] ? { type: match[1], base64: match[2] } : undefined
}
