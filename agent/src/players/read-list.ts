import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { entryPath, openBeneath } from '../config-files/beneath.ts'
import { type PlayerAnswer, plausibleAnswer } from './ask.ts'

const MOST_BYTES = 32 * 1024
/**
 * Programs that keep such a file rewrite it continuously: an older one belongs to an earlier run.
 */
const OLD_MS = 60_000

/**
 * Reads the players from a file that the server keeps: JSON with `online`, `most` and `names`.
 * Follows no link out of the data folder and reads only a regular file.
 */
export async function readPlayerList(
  dataFolder: string,
  path: string,
  nowMs: number,
): Promise<PlayerAnswer | undefined> {
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
      return plausibleAnswer(online, most, names)
    } finally {
      await file.close()
    }
  } catch {
    return undefined
  } finally {
    await place.folder.close()
  }
}
