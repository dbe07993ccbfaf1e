import { readdir, readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { until } from '../../../../../test/support/until.ts'
import { drawPreview } from './draw.ts'

const draw = (bytes: Buffer) => drawPreview(Readable.from([bytes]))
const plain = (width: number, height: number) =>
  sharp({ create: { width, height, channels: 3, background: '#c92a2a' } })

test('a picture becomes a WebP that fits into a window, and a small one keeps its size', async () => {
  const large = await draw(await plain(4000, 1000).jpeg().toBuffer())
  expect(large).toMatchObject({ width: 1600, height: 400 })
  expect(await sharp(large?.bytes).metadata()).toMatchObject({
    ...{ format: 'webp', width: 1600, height: 400 },
  })
  expect(await draw(await plain(30, 20).png().toBuffer())).toMatchObject({ width: 30, height: 20 })
})

test('the preview has none of the camera’s metadata, and it is upright', async () => {
  const taken = await plain(40, 20)
    .withMetadata({ orientation: 6 })
    .withExifMerge({ IFD0: { Make: 'SecretCamera' }, IFD3: { GPSLatitude: '51/1' } })
    .jpeg()
    .toBuffer()
  const withMore = Buffer.concat([taken, Buffer.from('<script>hidden()</script>')])
  const drawn = await draw(withMore)
  expect(drawn).toMatchObject({ width: 20, height: 40 })
  const { exif, icc, xmp } = await sharp(drawn?.bytes).metadata()
  expect([exif, icc, xmp]).toEqual([undefined, undefined, undefined])
  for (const text of ['SecretCamera', 'hidden']) expect(drawn?.bytes.includes(text)).toBe(false)
})

test('the preview of an animation is its first frame', async () => {
  const frames = Buffer.concat([Buffer.alloc(300, 255), Buffer.alloc(300, 0)])
  const moving = await sharp(frames, {
    raw: { width: 10, height: 20, channels: 3, pageHeight: 10 },
  })
    .gif({ delay: [100, 100], loop: 0 })
    .toBuffer()
  expect((await sharp(moving).metadata()).pages).toBe(2)
  const drawn = await draw(moving)
  expect(drawn).toMatchObject({ width: 10, height: 10 })
  const { pages } = await sharp(drawn?.bytes).metadata()
  expect(pages ?? 1).toBe(1)
  const { dominant } = await sharp(drawn?.bytes).stats()
  expect(dominant.r).toBeGreaterThan(200)
})

/** A PNG of one colour with the given dimensions; it compresses to few bytes. */
function blackPng(width: number, height: number): Buffer {
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([1, 0, 0, 0, 0], 8)
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data])
    const whole = Buffer.alloc(body.length + 8)
    whole.writeUInt32BE(data.length, 0)
    whole.set(body, 4)
    whole.writeUInt32BE(crc32(body), body.length + 4)
    return whole
  }
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', deflateSync(Buffer.alloc(height * (Math.ceil(width / 8) + 1)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

test('a picture that would be too large once decoded has no preview', async () => {
  expect(await draw(blackPng(64, 64))).toMatchObject({ width: 64, height: 64 })
  const bomb = blackPng(30_000, 30_000)
  expect(bomb.length).toBeLessThan(200_000)
  expect(await draw(bomb)).toBeUndefined()
})

test('a file that is broken, or only begins like a picture, has no preview', async () => {
  const whole = await sharp(
    Buffer.from(Array.from({ length: 30_000 }, (_, at) => (at * at) % 251)),
    {
      raw: { width: 100, height: 100, channels: 3 },
    },
  )
    .png()
    .toBuffer()
  expect(await draw(whole)).toBeDefined()
  expect(await draw(whole.subarray(0, whole.length / 2))).toBeUndefined()
  expect(await draw(Buffer.from('\x89PNG\r\n\x1a\n and no more', 'latin1'))).toBeUndefined()
  expect(await draw(Buffer.from('GIF89a/*\xff*/=1;alert(1)', 'latin1'))).toBeUndefined()
  expect(await draw(Buffer.alloc(0))).toBeUndefined()
  const drawing = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>'
  expect(await draw(Buffer.from(drawing))).toBeUndefined()
})

test('a picture that takes more memory than it may has no preview', async () => {
  const large = await plain(8000, 6000).jpeg({ progressive: true }).toBuffer()
  expect(await draw(large)).toMatchObject({ width: 1600, height: 1200 })
  expect(await drawPreview(Readable.from([large]), { dataMb: 700 })).toBeUndefined()
})

test('a picture that takes too long is not reported as broken', async () => {
  const picture = await plain(30, 20).png().toBuffer()
  const late = drawPreview(Readable.from([picture]), { withinMs: 1 })
  await expect(late).rejects.toThrow('was not drawn (SIGKILL)')
})

test('drawing ends when the control plane stops', async () => {
  const stopping = new AbortController()
  const endless = new Readable({ read: () => undefined })
  const drawing = drawPreview(endless, { stopped: stopping.signal })
  stopping.abort()
  await expect(drawing).rejects.toThrow('aborted')
  expect(endless.destroyed).toBe(true)
})

/** Drawing processes that are children of this one. */
async function drawing(): Promise<string[]> {
  const found: string[] = []
  for (const pid of await readdir(`/proc/${process.pid}/task`)) {
    const children = await readFile(`/proc/${process.pid}/task/${pid}/children`, 'utf8')
    for (const child of children.split(' ').filter(Boolean)) {
      const command = await readFile(`/proc/${child}/cmdline`, 'utf8').catch(() => '')
      if (command.includes('draw-process')) found.push(child)
    }
  }
  return found
}

test('if memory runs short, the kernel ends the drawing process first', async () => {
  const stopping = new AbortController()
  const endless = new Readable({ read: () => undefined })
  const drawn = drawPreview(endless, { stopped: stopping.signal })
  const weight = (pid: string) => readFile(`/proc/${pid}/oom_score_adj`, 'utf8').catch(() => '')
  try {
    await until(async () => (await Promise.all((await drawing()).map(weight))).includes('1000\n'))
  } finally {
    stopping.abort()
  }
  await expect(drawn).rejects.toThrow('aborted')
})
