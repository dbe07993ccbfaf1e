import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { MAIN } from './program.ts'

/** Tells a process that it is a new version on trial. */
export const ON_TRIAL = 'LODGE_AGENT_ON_TRIAL'

/** What a version on trial sends once it is connected and knows its servers. */
export const HEALTHY = 'healthy'

const END_MS = 15_000

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
    readonly withinMs: number
  },
): Promise<string | undefined> {
  const { environment, args, withinMs } = given
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
  const late = delay(withinMs, `it was not connected within ${withinMs / 1000} s`, life)
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
