import { writeFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import sharp from 'sharp'
import { LONGEST_SIDE, MAX_PICTURE_PIXELS, UNREADABLE } from './drawing.ts'

// A process that draws one preview. Native code parses bytes from strangers here: it must not block
// the control plane, and whoever exploits it must not be inside the control plane.

// If memory runs short, the kernel kills this process rather than the control plane or the database.
try {
  writeFileSync('/proc/self/oom_score_adj', '1000')
} catch {
  // Where the process may not set this, it draws all the same.
}

// Of all the formats that libvips reads, only the accepted ones; it detects them from the bytes.
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
  // One page: the first frame of an animation. sharp drops metadata unless told to keep it.
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
