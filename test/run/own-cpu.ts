import { afterAll } from 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** CPU that the process of the tests used for a file, with loading and garbage, without its children. */
    cpuSeconds?: number
  }
}

// The first of the set-up files, whose hook comes last: a process runs one file after the other.
const before = process.cpuUsage()

// biome-ignore lint/correctness/noEmptyPattern: vitest reads here which fixtures the hook uses: none
afterAll(({}, file) => {
  const { user, system } = process.cpuUsage(before)
  file.meta.cpuSeconds = (user + system) / 1_000_000
})
