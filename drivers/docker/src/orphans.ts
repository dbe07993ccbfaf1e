import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'

const GONE_WITHIN_MS = 5_000
const LOOK_EVERY_MS = 20

/**
 * Ends what is left of containers that the engine takes for ended. An engine that dies in the middle
 * of a start forgets that it had begun, while the server's processes run on: nobody would see them,
 * and the next start would run the server twice on the same data.
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

/** The control groups of a container's processes carry its id, whatever made them. */
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
    // Gone already.
  }
}
