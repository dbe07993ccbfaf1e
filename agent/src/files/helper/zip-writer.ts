import { once } from 'node:events'
import { PassThrough, pipeline, Readable } from 'node:stream'
import { ZipFile } from 'yazl'
import { type ArchiveWriter, closing, type Packed } from './archive-writer.ts'

const FOLDER = 0o040000
const FILE = 0o100000
const LINK = 0o120000
/** Larger files need the 64-bit format, which old programs do not read. */
const LARGE = 2 ** 31

export function zipWriter(): ArchiveWriter {
  const zip = new ZipFile()
  const output = new PassThrough({ highWaterMark: 128 * 1024 })
  const closed = closing(output)
  pipeline(zip.outputStream, output, () => {})
  zip.on('error', (error: Error) => output.destroy(error))

  return {
    output,
    async folder(entry) {
      zip.addEmptyDirectory(entry.name, options(entry, FOLDER))
    },
    async link(entry, target) {
      zip.addBuffer(Buffer.from(target), entry.name, { ...options(entry, LINK), compress: false })
    },
    hardLink: undefined,
    async file(entry, size, content) {
      const stream = Readable.from(content, { objectMode: false, highWaterMark: 256 * 1024 })
      const ended = once(stream, 'end')
      zip.addReadStream(stream, entry.name, {
        ...options(entry, FILE),
        size,
        compress: true,
        forceZip64Format: size >= LARGE,
      })
      await Promise.race([ended, closed])
    },
    finish: () => zip.end(),
  }
}

const options = ({ mode, modifiedNs }: Packed, kind: number) => ({
  mode: kind | mode,
  mtime: new Date(Number(modifiedNs / 1_000_000n)),
})
