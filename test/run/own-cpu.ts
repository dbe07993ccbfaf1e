import { readFileSync } from 'node:fs'
import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /**
     * CPU time of a file, including loading and garbage collection: of the test process, and of
     * programs that it started and that have ended.
     */
    cpuSeconds?: { readonly own: number; readonly programs: number }
  }
}

/** The unit of times in `/proc`, on every Linux (USER_HZ). */
const TICKS_PER_SECOND = 100

/** CPU time of this process since its start, and of its ended children with their descendants. */
function used(): { own: number; programs: number } {
  const { user, system } = process.cpuUsage()
  const stat = readFileSync('/proc/self/stat', 'utf8')
  // The name of the program, in parentheses, may contain anything; the 14th and 15th field after it
  // are those of children.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[13]) + Number(fields[14])
  return { own: (user + system) / 1_000_000, programs: ticks / TICKS_PER_SECOND }
}

// Must be the first set-up file, whose hook comes last: a process runs one file after the other.
const before = used()

// biome-ignore lint/correctness/noEmptyPattern: vitest reads here which fixtures the hook uses: none
afterAll(({}, file) => {
  const { own, programs } = used()
  file.meta.cpuSeconds = { own: own - before.own, programs: programs - before.programs }
})
