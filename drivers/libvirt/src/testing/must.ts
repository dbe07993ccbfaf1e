import { runProgram } from '@lodge/driver/run-program.ts'

interface MustOptions {
  readonly cwd?: string
  readonly input?: string
}

/** Runs a program to completion and returns its output. Throws on a nonzero exit code. */
export async function must(
  file: string,
  args: readonly string[],
  options: MustOptions = {},
): Promise<string> {
  const { code, output } = await runProgram(file, args, { ...options, deadlineMs: 120_000 })
  if (code !== 0) throw new Error(`${file} ended with ${code}: ${output.slice(-500)}`)
  return output
}
