import { type ChildProcess, spawn } from 'node:child_process'

export interface ProgramResult {
  readonly code: number | null
  readonly output: string
}

export interface ProgramOptions {
  readonly input?: string
  /** The working directory. */
  readonly cwd?: string
  readonly signal?: AbortSignal
  /** The program and its children are terminated after this long. Default 30,000; null: never. */
  readonly deadlineMs?: number | null
  readonly onLine?: (line: string) => void
  readonly onStart?: (child: ChildProcess) => void
  readonly environment?: Readonly<Record<string, string>>
}

const KEPT_OUTPUT = 64 * 1024
const GRACE_MS = 5000

/**
 * Runs a program to completion, without a shell. Returns its exit code (null: it could not be
 * started or was killed) and the last 64 KiB of its output. When aborted, throws the signal's
 * reason, but only after the program and all its children are gone.
 */
export function runProgram(
  file: string,
  args: readonly string[],
  options: ProgramOptions = {},
): Promise<ProgramResult> {
  options.signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const child = spawn(file, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      cwd: options.cwd,
      env: {
        PATH: process.env.PATH ?? '/usr/sbin:/usr/bin:/sbin:/bin',
        LC_ALL: 'C',
        ...options.environment,
      },
    })
    options.onStart?.(child)
    let output = ''
    let line = ''
    let hard: NodeJS.Timeout | undefined
    const end = (signal: NodeJS.Signals) => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, signal)
      } catch {
        // The process group is already gone.
      }
    }
    const stop = () => {
      end('SIGTERM')
      hard ??= setTimeout(() => end('SIGKILL'), GRACE_MS)
    }
    const { deadlineMs = 30_000 } = options
    const timer = deadlineMs === null ? undefined : setTimeout(stop, deadlineMs)
    options.signal?.addEventListener('abort', stop, { once: true })
    const take = (chunk: string) => {
      output = (output + chunk).slice(-KEPT_OUTPUT)
      if (!options.onLine) return
      const lines = (line + chunk).split(/[\r\n]+/)
      line = lines.pop() ?? ''
      for (const text of lines) if (text !== '') options.onLine(text)
    }
    child.stdout.setEncoding('utf8').on('data', take)
    child.stderr.setEncoding('utf8').on('data', take)
    child.stdin.on('error', () => {}).end(options.input ?? '')
    const finish = (result: ProgramResult) => {
      clearTimeout(timer)
      clearTimeout(hard)
      options.signal?.removeEventListener('abort', stop)
      if (options.signal?.aborted) reject(options.signal.reason)
      else resolve(result)
    }
    child.on('error', (error) => finish({ code: null, output: error.message }))
    child.on('close', (code) => finish({ code, output }))
  })
}
