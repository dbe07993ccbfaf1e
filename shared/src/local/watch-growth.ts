import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'

const EVERY_MS = 1_000

/**
 * Tells each second by how many bytes a folder has grown, which only its file system knows without a walk
 * through all files: null where others share that, so that what they write counts as well.
 */
export function watchGrowth(
  folder: string,
  tell: (bytes: number | null) => void,
): { stop(): void } {
  let began: number | null = null
  async function look(): Promise<void> {
    const [own, above] = await Promise.all([stat(folder), stat(dirname(folder))])
    if (own.dev === above.dev) return tell(null)
    const { blocks, bfree, bsize } = await statfs(folder)
    const used = (blocks - bfree) * bsize
    began ??= used
    tell(Math.max(0, used - began))
  }
  const again = () => void look().catch(() => undefined)
  again()
  const timer = setInterval(again, EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
