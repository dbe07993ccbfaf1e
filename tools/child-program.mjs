import { spawn } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../shared/src/backoff.ts'
import { at, childEnvironment, root, say } from './place.mjs'

const graceMs = 20_000

/**
 * Starts one of our programs in a session of its own, so that Ctrl-C reaches us alone and we can
 * end the programs in order. It ends by itself should we be killed.
 * @param heard called with what it tells us over a channel of its own
 */
export function startProgram(args, env, heard) {
  const child = spawn(process.execPath, ['--import', at('tools/follow-parent.mjs'), ...args], {
    cwd: root,
    env: childEnvironment(env),
    stdio: ['ignore', 'inherit', 'inherit', ...(heard ? ['ipc'] : [])],
    detached: true,
  })
  if (heard) child.on('message', heard)
  /** The exit code; a program ended by a signal counts as 1. */
  const ended = new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
  return {
    ended,
    async stop() {
      child.kill('SIGTERM')
      const late = pause(graceMs, 'late', { ref: false })
      if ((await Promise.race([ended, late])) === 'late') child.kill('SIGKILL')
      await ended
    },
    kill: () => child.kill('SIGKILL'),
  }
}

/** Between two starts of what does not hold. */
export const RESTARTS = { leastMs: 500, mostMs: 30_000 }

/**
 * Keeps a program running until `stop`; one that ends by itself is started again, ever later.
 * @param first it, where it runs already
 */
export function keepRunning(name, args, env, first = startProgram(args, env)) {
  let stopped = false
  let current = first
  const supervision = supervise()

  async function supervise() {
    for (let failures = 0; ; failures++) {
      const started = Date.now()
      const code = await current.ended
      if (stopped) return
      if (Date.now() - started > 60_000) failures = 0
      const wait = backoffMs(failures, RESTARTS)
      say(`The ${name} ended with code ${code}, starting it again in ${wait / 1000} s`)
      await pause(wait, undefined, { ref: false })
      if (stopped) return
      current = startProgram(args, env)
    }
  }

  return {
    ended: supervision,
    /** Ends it, so that it is started anew. */
    again: () => current.stop(),
    async stop() {
      stopped = true
      await current.stop()
    },
    kill: () => current.kill(),
  }
}
