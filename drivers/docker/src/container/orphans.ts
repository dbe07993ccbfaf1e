import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const GONE_WITHIN_MS = 5_000
const LOOK_EVERY_MS = 20

/**
 * Kills remaining processes of containers that the engine considers stopped. An engine that dies in
 * the middle of a start forgets it, while the server's processes keep running: nothing would manage
 * them, and the next start would run the server twice on the same data.
 * @param containerIds full ids
 * @returns how many processes there were
 */
export async function endOrphans(containerIds: readonly string[]): Promise<number> {
  const found = await processesOf(containerIds)
  const deadline = Date.now() + GONE_WITHIN_MS
  for (let left = found; left.length > 0 && Date.now() < deadline; ) {
    for (const pid of left) end(pid)
    await delay(LOOK_EVERY_MS)
    left = await processesOf(containerIds)
  }
  return found.length
}

/** A container's cgroups contain its id, whichever runtime created them. */
async function processesOf(containerIds: readonly string[]): Promise<number[]> {
  if (containerIds.length === 0) return []
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const groups = await readFile(`/proc/${pid}/cgroup`, 'utf8').catch(() => '')
      return containerIds.some((id) => groups.includes(id)) ? [Number(pid)] : []
    }),
  )
  return found.flat()
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // Already gone.
  }
}
