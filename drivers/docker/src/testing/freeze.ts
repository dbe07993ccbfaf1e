import { readdir, readFile } from 'node:fs/promises'
import { expect, vi } from 'vitest'

/** Stops a process with SIGSTOP; a thread that is writing to a disk stops only after that. */
export async function freeze(pid: number): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  const threads = `/proc/${pid}/task`
  const stateOf = async (thread: string) =>
    /^State:\s*(\S)/m.exec(await readFile(`${threads}/${thread}/status`, 'utf8'))?.[1]
  await vi.waitFor(
    async () => {
      const states = await Promise.all((await readdir(threads)).map(stateOf))
      expect(new Set(states)).toEqual(new Set(['T']))
    },
    { timeout: 30_000, interval: 25 },
  )
}
