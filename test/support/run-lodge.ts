import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'

const program = path.resolve(import.meta.dirname, '../../control-plane/src/lodge.ts')

/**
 * The environment that `npm run` gives every command; without the compile cache, loading all modules
 * takes longer than most commands.
 */
export function programEnvironment(): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE: cache } = process.env
  return { PATH, ...(cache !== undefined && { NODE_COMPILE_CACHE: cache }) }
}

export interface Ended {
  readonly code: number | null
  readonly said: string
}

/** Starts a command of the operator, as `npm run backup` does, with this environment. */
export function startLodgeCommand(
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): { readonly child: ChildProcess; readonly ended: Promise<Ended>; said(): string } {
  const child = spawn(process.execPath, [program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...programEnvironment(), LODGE_LOG_LEVEL: 'silent', ...environment },
  })
  let said = ''
  const keep = (part: string) => {
    said += part
  }
  child.stdout.setEncoding('utf8').on('data', keep)
  child.stderr.setEncoding('utf8').on('data', keep)
  const ended = once(child, 'close').then(([code]) => ({ code, said }))
  return { child, ended, said: () => said }
}

export const runLodge = (
  args: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<Ended> => startLodgeCommand(args, environment).ended
