import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Runs a program on this machine. Throws its output when it fails. */
export async function must(file: string, ...args: string[]): Promise<string> {
  return (await run(file, args)).stdout
}

/** Polls until the result is truthy; the test's time limit ends it. */
export async function until<T>(ask: () => Promise<T | undefined | false> | T | undefined | false) {
  for (;;) {
    const answer = await ask()
    if (answer !== undefined && answer !== false) return answer
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
