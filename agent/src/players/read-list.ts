import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { entryPath, openBeneath } from '../config-files/beneath.ts'
import { type Told, told } from './ask.ts'

const MOST_BYTES = 32 * 1024
/** A program that writes such a file writes it again and again: an older one is of an earlier run. */
const OLD_MS = 60_000

/**
 * Who plays, from a file in which the server keeps it: JSON with `online`, `most` and `names`. Nothing is
 * followed out of the data folder, and only an ordinary file is read.
 */
export async function readPlayerList(
  dataFolder: string,
  path: string,
  nowMs: number,
): Promise<Told | undefined> {
  const place = await openBeneath(dataFolder, path, false).catch(() => undefined)
  if (!place) return undefined
  try {
    const file = await open(
      entryPath(place.folder, place.name),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    )
    try {
      const stat = await file.stat()
      if (!stat.isFile() || stat.size > MOST_BYTES || nowMs - stat.mtimeMs > OLD_MS)
        return undefined
      const { buffer, bytesRead } = await file.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0)
      const list: unknown = JSON.parse(buffer.toString('utf8', 0, bytesRead))
      if (typeof list !== 'object' || list === null) return undefined
      const { online, most, names } = list as Record<string, unknown>
      return told(online, most, names)
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  } finally {
    await place.folder.close()
  }
}
