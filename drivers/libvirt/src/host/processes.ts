import { readdir, readFile, readlink } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { DriverError } from '@lodge/driver/driver.ts'

/** A process, with its arguments as in /proc: each terminated by a zero byte. */
export interface NodeProcess {
  readonly pid: number
  readonly line: string
}

const GONE_WITHIN_MS = 20_000
const LOOK_MS = 20

/**
 * Lists the processes in a network namespace (a path in /proc; default: our own) for which `wanted`
 * returns a value, and returns those values.
 */
export async function processesIn<T>(
  networkNamespace: string | undefined,
  wanted: (one: NodeProcess) => T | null,
): Promise<readonly T[]> {
  const own = await readlink(networkNamespace ?? '/proc/self/ns/net')
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = pids.map(async (pid): Promise<T | null> => {
    try {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8')
      const answer = wanted({ pid: Number(pid), line })
      return answer !== null && (await readlink(`/proc/${pid}/ns/net`)) === own ? answer : null
    } catch {
      // It has exited meanwhile.
      return null
    }
  })
  return (await Promise.all(found)).filter((one) => one !== null)
}

/** The file name of the running program. */
export const programOf = (line: string): string =>
  line.slice(0, line.indexOf('\0')).split('/').at(-1) ?? ''

/**
 * Kills what `find` returns until it returns nothing. Throws `timeout` (retryable) when something
 * remains.
 */
export async function endAll(find: () => Promise<readonly number[]>): Promise<void> {
  for (const began = performance.now(); ; await delay(LOOK_MS)) {
    const left = await find()
    if (left.length === 0) return
    if (performance.now() - began > GONE_WITHIN_MS)
      throw new DriverError('timeout', `Process ${left[0]} of an earlier run does not end.`, {
        retryable: true,
      })
    for (const pid of left) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // Already gone.
      }
    }
  }
}
