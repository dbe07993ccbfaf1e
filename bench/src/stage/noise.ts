import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

const MIB = 1024 * 1024

/** Mebibytes that differ from each other and contain no long runs of zeroes. */
function* noise(count: number): Generator<Buffer> {
  const block = Buffer.alloc(MIB)
  for (let at = 0; at < MIB; at += 4) block.writeUInt32LE(Math.random() * 2 ** 32, at)
  for (let number = 0; number < count; number++) {
    const own = Buffer.from(block)
    for (let at = 0; at < MIB; at += 4096) own.writeUInt32LE(number, at)
    yield own
  }
}

/** A file of incompressible data. */
export const writeNoise = (file: string, mib: number): Promise<void> =>
  pipeline(Readable.from(noise(mib)), createWriteStream(file))
