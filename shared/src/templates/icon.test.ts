import { expect, test } from 'vitest'
import type { PictureType } from '../picture-type.ts'
import { ICON_PIXELS_MAX, whyNotIcon } from './icon.ts'
import { pictureSize } from './picture-size.ts'

/** Pictures that ImageMagick drew, of three by two pixels. */
const PICTURES: Readonly<Record<string, readonly [PictureType, string]>> = {
  PNG: [
    'png',
    'iVBORw0KGgoAAAANSUhEUgAAAAMAAAACAQMAAACnuvRZAAAABlBMVEX/AAD///9BHTQRAAAADElEQVQI12NgYGAAAAAEAAEnNCcKAAAAAElFTkSuQmCC',
  ],
  GIF: ['gif', 'R0lGODlhAwACAPAAAP8AAAAAACH5BAAAAAAALAAAAAADAAIAAAIChF8AOw=='],
  'lossy WebP': [
    'webp',
    'UklGRjwAAABXRUJQVlA4IDAAAADQAQCdASoDAAIAAgA0JaACdLoB+AADsAD+8MQL/yC5YXXI1/8gP+QH/ID/+PIAAAA=',
  ],
  'lossless WebP': ['webp', 'UklGRhwAAABXRUJQVlA4TA8AAAAvAkAAAAcQ/Y/+ByKi/wEA'],
  'WebP with transparency': [
    'webp',
    'UklGRloAAABXRUJQVlA4WAoAAAAQAAAAAgAAAQAAQUxQSAcAAAAAf39/f39/AFZQOCAsAAAAkAEAnQEqAwACAALATCWgAnS6AAOYAP7uQx/ubHOLcFf/bQ//Wh/+tD/pQAA=',
  ],
  JPEG: [
    'jpeg',
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/2wBDAQMDAwQDBAgEBAgQCwkLEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBD/wAARCAACAAMDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAACP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/xAAVAQEBAAAAAAAAAAAAAAAAAAAHCf/EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAMAwEAAhEDEQA/ADoDFU3/2Q==',
  ],
  'progressive JPEG': [
    'jpeg',
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAAMCAgICAgMCAgIDAwMDBAYEBAQEBAgGBgUGCQgKCgkICQkKDA8MCgsOCwkJDRENDg8QEBEQCgwSExIQEw8QEBD/2wBDAQMDAwQDBAgEBAgQCwkLEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBD/wgARCAACAAMDAREAAhEBAxEB/8QAFAABAAAAAAAAAAAAAAAAAAAAB//EABUBAQEAAAAAAAAAAAAAAAAAAAYI/9oADAMBAAIQAxAAAAE5C1T/AP/EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAQUCf//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQMBAT8Bf//EABQRAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQIBAT8Bf//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEABj8Cf//EABQQAQAAAAAAAAAAAAAAAAAAAAD/2gAIAQEAAT8hf//aAAwDAQACAAMAAAAQ/wD/xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAEDAQE/EH//xAAUEQEAAAAAAAAAAAAAAAAAAAAA/9oACAECAQE/EH//xAAUEAEAAAAAAAAAAAAAAAAAAAAA/9oACAEBAAE/EH//2Q==',
  ],
}

/** Where the header of the JPEGs is that declares their size. */
const JPEG_FRAME = 158

/** Where each of them declares its width and its height, and in which order of bytes. */
const DECLARED: Readonly<Record<string, readonly [width: number, height: number, order: string]>> =
  {
    PNG: [18, 22, 'big'],
    GIF: [6, 8, 'little'],
    'lossy WebP': [26, 28, 'little'],
    'WebP with transparency': [24, 27, 'little'],
    JPEG: [JPEG_FRAME + 7, JPEG_FRAME + 5, 'big'],
    'progressive JPEG': [JPEG_FRAME + 7, JPEG_FRAME + 5, 'big'],
  }

const iconOf = (type: string, bytes: Buffer) =>
  `data:image/${type};base64,${bytes.toString('base64')}`

/** The picture with other sides in its header; everything else stays as it is. */
function declaring(name: string, width: number, height: number): string {
  const [type, base64] = PICTURES[name] ?? ['png', '']
  const [widthAt, heightAt, order] = DECLARED[name] ?? [0, 0, 'big']
  const bytes = Buffer.from(base64, 'base64')
  // WebP of this form declares its sides less one.
  const less = name === 'WebP with transparency' ? 1 : 0
  const write = order === 'big' ? 'writeUInt16BE' : 'writeUInt16LE'
  bytes[write](width - less, widthAt)
  bytes[write](height - less, heightAt)
  return iconOf(type, bytes)
}

test.each(Object.entries(PICTURES))('the size of a %s is read', (_name, [type, base64]) => {
  const bytes = atob(base64)
  expect(pictureSize(type, bytes)).toEqual({ width: 3, height: 2 })
  expect(whyNotIcon(`data:image/${type};base64,${base64}`)).toBeUndefined()
})

test.each(Object.keys(DECLARED))('a small file that declares an enormous %s is no icon', (name) => {
  expect(whyNotIcon(declaring(name, ICON_PIXELS_MAX, ICON_PIXELS_MAX))).toBeUndefined()
  const refused = 'scale it down to at most 1024 × 1024'
  expect(whyNotIcon(declaring(name, ICON_PIXELS_MAX + 1, 2))).toContain(refused)
  expect(whyNotIcon(declaring(name, 3, 16_000))).toBe(`has 3 × 16000 pixels: ${refused}`)
})

test('an enormous lossless WebP is no icon', () => {
  // Fourteen bits of width less one, then fourteen of height less one.
  const bytes = Buffer.from(PICTURES['lossless WebP']?.[1] ?? '', 'base64')
  bytes.writeUInt32LE(0x0fff_ffff, 21)
  expect(whyNotIcon(iconOf('webp', bytes))).toContain('has 16384 × 16384 pixels')
})

test('a GIF whose frame is larger than its screen is as large as the frame', () => {
  const bytes = Buffer.from(PICTURES.GIF?.[1] ?? '', 'base64')
  bytes.writeUInt16LE(60_000, bytes.indexOf(',') + 5)
  expect(whyNotIcon(iconOf('gif', bytes))).toContain('has 60000 × 2 pixels')
})

test('a JPEG that hides its frame behind what looks like a smaller one is no icon', () => {
  const bytes = Buffer.from(PICTURES.JPEG?.[1] ?? '', 'base64')
  // Decoders skip what is no segment, up to the real frame.
  const small = Buffer.concat([Buffer.from([0]), bytes.subarray(JPEG_FRAME, JPEG_FRAME + 19)])
  bytes.writeUInt32BE(0xffff_ffff, JPEG_FRAME + 5)
  const hiding = Buffer.concat([bytes.subarray(0, JPEG_FRAME), small, bytes.subarray(JPEG_FRAME)])
  expect(whyNotIcon(iconOf('jpeg', hiding))).toContain('width and height cannot be read')
})

test.each(Object.entries(PICTURES))('a %s that ends early is no icon', (_name, [type, base64]) => {
  const bytes = Buffer.from(base64, 'base64')
  expect(whyNotIcon(iconOf(type, bytes.subarray(0, 12)))).toBeDefined()
  expect(whyNotIcon(iconOf(type, bytes.subarray(0, 18)))).toBeDefined()
})
