import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../shared/src/backoff.ts'
import { at, childEnvironment, root, say } from './place.mjs'

const graceMs = 20_000

/**
 * Starts one of our programs in a session of its own, so that Ctrl-C reaches only this process and
 * the programs are stopped in order. A child stops by itself if this process is killed.
 * @param heard called with the messages that it sends over IPC
 * @param log called with each line that it prints; without it, the terminal gets them
 */
export function startProgram(args, env, { heard, log } = {}) {
  const output = log ? 'pipe' : 'inherit'
  // Which parts of Node.js are new is nothing for whoever starts this.
  const flags = ['--disable-warning=ExperimentalWarning', '--import', at('tools/follow-parent.mjs')]
  const child = spawn(process.execPath, [...flags, ...args], {
    cwd: root,
    env: childEnvironment(env),
    stdio: ['ignore', output, output, ...(heard ? ['ipc'] : [])],
    detached: true,
  })
  if (heard) child.on('message', heard)
  if (log)
    for (const input of [child.stdout, child.stderr]) createInterface({ input }).on('line', log)
  /** The exit code; a program killed by a signal counts as 1. */
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

/** Delays between restarts of a program that keeps failing. */
export const RESTARTS = { leastMs: 500, mostMs: 30_000 }

/**
 * Keeps a program running until `stop`, restarting it with growing delays when it exits.
 * @param first the program, if it is already running
 */
export function keepRunning(name, args, env, { log, first = startProgram(args, env, { log }) }) {
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
      say(`The ${name} exited with code ${code}; restarting it in ${wait / 1000} s`)
      await pause(wait, undefined, { ref: false })
      if (stopped) return
      current = startProgram(args, env, { log })
    }
  }

  return {
    ended: supervision,
    /** Stops it, so that it is restarted. */
    again: () => current.stop(),
    async stop() {
      stopped = true
      await current.stop()
    },
    kill: () => current.kill(),
  }
}
