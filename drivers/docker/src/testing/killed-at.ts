import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** The code of a process that changed nothing because a file of the disk was still open. */
export const TRY_AGAIN = 75

interface Killed {
  readonly root: string
  readonly serverId: string
  readonly restoreId: string
  readonly part: 'swap' | 'restore' | 'undo' | 'finish'
}

/**
 * Does a part of a restore in a process that is killed at its nth call of the file system, with the
 * programs that it started.
 * @returns whether it ended by itself
 */
export async function killedAt(point: number, about: Killed): Promise<boolean> {
  const script = join(import.meta.dirname, 'exchange-killed.ts')
  const { root, serverId, restoreId, part } = about
  const child = spawn(process.execPath, [script, root, serverId, restoreId, part, String(point)], {
    stdio: 'inherit',
    detached: true,
  })
  const [code, ended] = await once(child, 'exit')
  endGroup(child.pid)
  if (code === TRY_AGAIN) return killedAt(point, about)
  if (code !== 0 && ended !== 'SIGKILL') throw new Error(`the ${part} ended with ${code}`)
  return code === 0
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left in it.
  }
}
