import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { OnProgress } from '@lodge/driver/driver.ts'

const EVERY_MS = 1_000

/** Reports how much of a restore has arrived, where the folder is a file system of its own. */
export function watchGrowth(
  folder: string,
  totalBytes: number,
  onProgress: OnProgress,
): { stop(): void } {
  let beganBytes: number | null = null
  const tell = (doneBytes: number | null) =>
    onProgress({
      step: 'copy',
      percent:
        doneBytes === null || totalBytes === 0
          ? null
          : Math.min(99, (doneBytes / totalBytes) * 100),
      detail: 'Restoring beside the present files, which are not touched',
      ...(doneBytes !== null && {
        bytes: { done: Math.min(doneBytes, totalBytes), total: totalBytes },
      }),
    })
  async function look(): Promise<void> {
    const [own, above] = await Promise.all([stat(folder), stat(dirname(folder))])
    if (own.dev === above.dev) return tell(null)
    const { blocks, bfree, bsize } = await statfs(folder)
    const used = (blocks - bfree) * bsize
    beganBytes ??= used
    tell(Math.max(0, used - beganBytes))
  }
  const again = () => void look().catch(() => undefined)
  again()
  const timer = setInterval(again, EVERY_MS)
  return { stop: () => clearInterval(timer) }
}
