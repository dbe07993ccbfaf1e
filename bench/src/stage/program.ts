import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { createInterface } from 'node:readline'

export const repository = path.resolve(import.meta.dirname, '../../..')

export interface Program {
  readonly pid: number
  /** The line with which the program reported that it is ready. */
  readonly ready: Readonly<Record<string, unknown>>
  readonly child: ChildProcess
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<void>
}

const READY_WITHIN_MS = 60_000

/**
 * Starts one of our programs and waits for the first line of JSON that `isReady` accepts.
 * @param args program and arguments for Node, paths relative to the repository
 */
export async function startProgram(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isReady: (line: Readonly<Record<string, unknown>>) => boolean,
): Promise<Program> {
  // A program that outlives a killed run would disturb the next one.
  const follow = ['--import', path.join(repository, 'tools/follow-parent.mjs')]
  const child = spawn(process.execPath, [...follow, ...args], {
    cwd: repository,
    env: { ...process.env, NODE_ENV: 'production', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  let faults = ''
  let ending = false
  const ended = once(child, 'exit')
  ended.then(([code, signal]) => {
    if (!ending) console.error(`${args.at(-1)} ended by itself (${code ?? signal}): ${faults}`)
  })
  child.stderr.on('data', (chunk) => {
    faults = `${faults}${chunk}`.slice(-4000)
  })
  const ready = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const late = setTimeout(
      () => reject(new Error(`${args[0]} was not ready in time: ${faults}`)),
      READY_WITHIN_MS,
    )
    let last = ''
    // Keep reading: a full pipe would block the program.
    createInterface({ input: child.stdout }).on('line', (line) => {
      last = line
      const parsed = parse(line)
      if (!parsed || !isReady(parsed)) return
      clearTimeout(late)
      resolve(parsed)
    })
    ended.then(([code]) => {
      clearTimeout(late)
      reject(new Error(`${args[0]} ended with ${code}: ${faults || last}`))
    })
  })
  return {
    pid: child.pid ?? 0,
    ready,
    child,
    async end(signal = 'SIGTERM') {
      ending = true
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
      await ended
    },
  }
}

function parse(line: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(line)
    return typeof parsed === 'object' && parsed !== null ? { ...parsed } : undefined
  } catch {
    return undefined
  }
}
