import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MAIN } from './program.ts'
import { END_MS } from './trial-time.ts'

/** Tells a process that it is a new version on trial. */
export const ON_TRIAL = 'LODGE_AGENT_ON_TRIAL'

/** What a version on trial sends once it is connected and knows its servers. */
export const HEALTHY = 'healthy'

const LOOK_EVERY_MS = 500

/**
 * Runs a version in the place of the present one, which has stopped, until it is connected and
 * knows its servers, and ends it.
 * @param folder the version's
 * @returns why it did not come up; undefined if it did
 */
export async function whyNotHealthy(
  folder: string,
  given: {
    readonly environment: Readonly<Record<string, string | undefined>>
    /** Of the command line. */
    readonly args: readonly string[]
    /** How long it may still take, asked again and again. */
    readonly leftMs: () => number
  },
): Promise<string | undefined> {
  const { environment, args, leftMs } = given
  const child = spawn(path.join(folder, 'bin/node'), [path.join(folder, MAIN), ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: { ...environment, [ON_TRIAL]: '1' },
  })
  const ended = once(child, 'exit').then(([code, signal]) => `it ended (${signal ?? code})`)
  const failed = once(child, 'error').then(([error]) => `it could not be started: ${error}`)
  const healthy = new Promise<undefined>((resolve) => {
    child.on('message', (message) => message === HEALTHY && resolve(undefined))
  })
  const life = new AbortController()
  const late = whenLate(leftMs, life.signal)
  late.catch(() => undefined)
  const why = await Promise.race([healthy, ended, failed, late])
  life.abort()
  if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) {
    child.kill('SIGTERM')
    const slow = setTimeout(() => child.kill('SIGKILL'), END_MS)
    await ended
    clearTimeout(slow)
  }
  return why
}

async function whenLate(leftMs: () => number, signal: AbortSignal): Promise<string> {
  const beganMs = performance.now()
  for (let ms = leftMs(); ms > 0; ms = leftMs())
    await delay(Math.min(ms, LOOK_EVERY_MS), undefined, { signal })
  const seconds = Math.round((performance.now() - beganMs) / 1000)
  return `it was not connected within ${seconds} s`
}
