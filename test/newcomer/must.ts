import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a program of this machine. Throws what it said when it fails. */
export async function must(file: string, ...args: string[]): Promise<string> {
  return (await run(file, args)).stdout
}

/** Waits for a fact: asks again and again until the answer is there; the test's time limit is the end. */
export async function until<T>(ask: () => Promise<T | undefined | false> | T | undefined | false) {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
