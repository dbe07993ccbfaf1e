import type { PictureType } from '../picture-type.ts'

/** Width and height in pixels. */
export interface PictureSize {
  readonly width: number
  readonly height: number
}

/*
 * A picture's bytes, one character each, are read here as strictly as its format is written.
 * Libraries that tell the size of pictures search damaged files for something that looks like one;
 * a file made for it would then show them a small size and a browser an enormous one.
 */
const byte = (bytes: string, at: number): number => bytes.charCodeAt(at)
const little16 = (bytes: string, at: number): number => byte(bytes, at) + byte(bytes, at + 1) * 256
const little24 = (bytes: string, at: number): number =>
  little16(bytes, at) + byte(bytes, at + 2) * 65_536
const big16 = (bytes: string, at: number): number => byte(bytes, at) * 256 + byte(bytes, at + 1)
const big32 = (bytes: string, at: number): number =>
  big16(bytes, at) * 65_536 + big16(bytes, at + 2)

function pngSize(bytes: string): PictureSize | undefined {
  if (!bytes.startsWith('\0\0\0\x0dIHDR', 8)) return undefined
  return { width: big32(bytes, 16), height: big32(bytes, 20) }
}

/** A frame may reach beyond the screen that the header declares, and browsers make room for it. */
function gifSize(bytes: string): PictureSize | undefined {
  let [width, height] = [little16(bytes, 6), little16(bytes, 8)]
  const tableBytes = (flags: number) => (flags & 0x80 ? 3 * 2 ** ((flags & 7) + 1) : 0)
  let at = 13 + tableBytes(byte(bytes, 10))
  let frames = 0
  while (bytes[at] === '!' || bytes[at] === ',') {
    if (bytes[at] === '!') {
      at = afterGifData(bytes, at + 2)
      continue
    }
    frames++
    width = Math.max(width, little16(bytes, at + 1) + little16(bytes, at + 5))
    height = Math.max(height, little16(bytes, at + 3) + little16(bytes, at + 7))
    at = afterGifData(bytes, at + 11 + tableBytes(byte(bytes, at + 9)))
  }
  return frames > 0 ? { width, height } : undefined
}

/** Where a sequence of blocks ends, each of which begins with its length. */
function afterGifData(bytes: string, from: number): number {
  let at = from
  while (byte(bytes, at) > 0) at += 1 + byte(bytes, at)
  return at + 1
}

function webpSize(bytes: string): PictureSize | undefined {
  const chunk = bytes.slice(12, 16)
  if (chunk === 'VP8X') return { width: 1 + little24(bytes, 24), height: 1 + little24(bytes, 27) }
  if (chunk === 'VP8 ' && bytes.startsWith('\x9d\x01\x2a', 23))
    return { width: little16(bytes, 26) & 0x3fff, height: little16(bytes, 28) & 0x3fff }
  if (chunk !== 'VP8L' || bytes[20] !== '\x2f') return undefined
  const low = little16(bytes, 21)
  const high = little16(bytes, 23)
  return { width: 1 + (low & 0x3fff), height: 1 + (low >> 14) + ((high & 0xfff) << 2) }
}

function jpegSize(bytes: string): PictureSize | undefined {
  for (let at = 2; byte(bytes, at) === 0xff; at += 2 + big16(bytes, at + 2)) {
    const marker = byte(bytes, at + 1)
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: big16(bytes, at + 7), height: big16(bytes, at + 5) }
    // Before its frame a picture consists of tables and remarks only.
    const isSegment = marker === 0xc4 || marker === 0xcc || (marker >= 0xdb && marker <= 0xfe)
    if (!isSegment) return undefined
  }
  return undefined
}

const SIZES: Readonly<Record<PictureType, (bytes: string) => PictureSize | undefined>> = {
  png: pngSize,
  gif: gifSize,
  webp: webpSize,
  jpeg: jpegSize,
}

/**
 * The size of a picture, from its header.
 * @param bytes the complete picture, one character for each byte
 * @returns undefined where the header does not say it
 */
export function pictureSize(type: PictureType, bytes: string): PictureSize | undefined {
  const size = SIZES[type](bytes)
  return size && size.width > 0 && size.height > 0 ? size : undefined
}
