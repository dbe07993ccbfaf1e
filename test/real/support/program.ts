import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import type { Network } from './network.ts'

/** A program that is started, killed and started again. */
export interface Program {
  readonly pid: number
  readonly isRunning: boolean
  start(): void
  /** kill -9; returns when it is gone. */
  kill(): Promise<void>
  /** Ends it gracefully, or by force when it takes too long. */
  stop(): Promise<void>
  /** Everything it has printed, over all its runs. */
  output(): string
  /** The end of that. */
  lastWords(): string
}

const GRACE_MS = 20_000

/** A program in the network, with its output in `logFile`. It is not started yet. */
export function program(given: {
  network: Pick<Network, 'inside'>
  command: readonly string[]
  environment?: Readonly<Record<string, string>>
  cwd?: string
  logFile: string
}): Program {
  let child: ChildProcess | undefined
  const isRunning = () => !!child && child.exitCode === null && child.signalCode === null

  async function end(signal: NodeJS.Signals): Promise<void> {
    const running = child
    if (!running || !isRunning()) return
    const gone = once(running, 'exit')
    const late = setTimeout(() => running.kill('SIGKILL'), GRACE_MS)
    running.kill(signal)
    await gone
    clearTimeout(late)
  }

  const output = () => (existsSync(given.logFile) ? readFileSync(given.logFile, 'utf8') : '')

  return {
    get pid() {
      return child?.pid ?? 0
    },
    get isRunning() {
      return isRunning()
    },
    start() {
      const log = openSync(given.logFile, 'a')
      const [file, args] = given.network.inside(given.command)
      child = spawn(file, args, {
        cwd: given.cwd,
        env: { ...process.env, ...given.environment },
        stdio: ['ignore', log, log],
      })
      closeSync(log)
    },
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    output,
    lastWords: () => output().slice(-3000),
  }
}
