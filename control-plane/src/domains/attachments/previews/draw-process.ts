import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { LONGEST_SIDE, MAX_PICTURE_PIXELS, UNREADABLE } from './drawing.ts'

// A process that draws one preview: the bytes of a stranger are taken apart by native code, which
// must neither hold up the control plane nor, should one of them be made to break it, be in it.

// If memory runs short, this process is ended, and not the control plane or the database.
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // A picture is drawn also where nobody may say that.
}

// Of all that libvips reads, only what is accepted as a picture. What the bytes are decides.
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({
  operation: [
    ...['VipsForeignLoadPng', 'VipsForeignLoadJpeg'],
    ...['VipsForeignLoadWebp', 'VipsForeignLoadNsgif'],
  ],
})
sharp.concurrency(1)
sharp.cache(false)

const source = await buffer(process.stdin)
try {
  // One page is the first picture of an animation. No metadata is kept unless asked for.
  const { data, info } = await sharp(source, {
    ...{ limitInputPixels: MAX_PICTURE_PIXELS, failOn: 'error', pages: 1, sequentialRead: true },
  })
    .autoOrient()
    .resize({ width: LONGEST_SIDE, height: LONGEST_SIDE, fit: 'inside', withoutEnlargement: true })
    .webp({ quality: 80 })
    .toBuffer({ resolveWithObject: true })
  process.stdout.write(`${JSON.stringify({ width: info.width, height: info.height })}\n`)
  process.stdout.write(data)
} catch {
  process.exitCode = UNREADABLE
}
