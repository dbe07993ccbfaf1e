// The Docker engine in our own data folder, for a machine whose system runs none. It outlives this
// process as the servers in it do, and servers outlive the engine: when it dies they keep running,
// and it finds them again on restart.
import { spawn } from 'node:child_process'
import { mkdirSync, openSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../shared/src/backoff.ts'
import { RESTARTS } from './child-program.mjs'
import { comesUp, longestSocketPath } from './engine-socket.mjs'
import { findProgram, say } from './place.mjs'

const lookEveryMs = 500
const endsWithinMs = 60_000
const steadyAfterMs = 60_000

/** The engine's socket, for the folder that contains all of it. */
export const ownSocket = (folder) => path.join(folder, 'docker.sock')

/** Starts the engine. Returns why it cannot run here, or undefined once it answers. */
export async function startOwnEngine(folder) {
  const dockerd = findProgram('dockerd')
  if (!dockerd) return 'no dockerd is installed'
  if (process.getuid() !== 0) return 'starting Docker needs root, and none is running'
  const longest = path.join(folder, 'exec/containerd/containerd-debug.sock')
  if (Buffer.byteLength(longest) > longestSocketPath) {
    return `${folder} is too long a path for Docker's sockets`
  }

  mkdirSync(folder, { recursive: true, mode: 0o711 })
  forgetDead(folder)
  const logFile = path.join(folder, 'dockerd.log')
  const log = openSync(logFile, 'w')
  const options = {
    'data-root': path.join(folder, 'data'),
    'exec-root': path.join(folder, 'exec'),
    pidfile: pidFile(folder),
    host: `unix://${ownSocket(folder)}`,
    // Servers get their own networks; a second engine would conflict over the default bridge.
    bridge: 'none',
    'live-restore': 'true',
  }
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  // In a session of its own, so that Ctrl-C ends the panel and not the servers.
  const engine = spawn(dockerd, flags, { detached: true, stdio: ['ignore', log, log] })
  engine.unref()
  if (await comesUp(ownSocket(folder), () => engine.exitCode === null && !engine.signalCode)) return
  return `dockerd did not start: ${lastLine(readFileSync(logFile, 'utf8'))}`
}

/**
 * Restarts the engine whenever it dies, with growing delays, until `stop`, which ends the
 * supervision and not the engine. The engine need not be our child: it may be from an earlier
 * start.
 */
export function keepOwnEngine(folder) {
  const stopping = new AbortController()
  const { signal } = stopping
  const wait = (ms) => pause(ms, undefined, { ref: false, signal })

  async function watch() {
    let failures = 0
    for (let upSince = Date.now(); ; upSince = Date.now()) {
      while (isRunning(folder)) await wait(lookEveryMs)
      if (Date.now() - upSince > steadyAfterMs) failures = 0
      const delay = backoffMs(failures, RESTARTS)
      failures += 1
      say(`The Docker engine exited; restarting it in ${delay / 1000} s; servers keep running`)
      await wait(delay)
      const fault = await startOwnEngine(folder)
      if (fault) say(`No Docker engine: ${fault}`)
    }
  }

  const ended = watch().catch((error) => {
    if (!signal.aborted) throw error
  })
  return {
    async stop() {
      stopping.abort()
      await ended
    },
    kill: () => stopping.abort(),
  }
}

/** Stops the engine. */
export async function endOwnEngine(folder) {
  const pid = readPid(pidFile(folder))
  if (!isAlive(pid, folder)) return
  process.kill(pid, 'SIGTERM')
  for (const deadline = Date.now() + endsWithinMs; isAlive(pid, folder); await pause(100)) {
    if (Date.now() > deadline) throw new Error(`the engine (process ${pid}) does not end`)
  }
}

const pidFile = (folder) => path.join(folder, 'dockerd.pid')

/** Whether the engine's process is alive; a zombie does not count. */
function isRunning(folder) {
  return isAlive(readPid(pidFile(folder)), folder)
}

/**
 * A killed engine leaves its containerd's pid file behind. If that process is a zombie, or its pid
 * has been reused, the next engine would wait for it in vain.
 */
function forgetDead(folder) {
  const containerd = path.join(folder, 'exec/containerd/containerd')
  for (const [file, ...others] of [
    [pidFile(folder)],
    [`${containerd}.pid`, `${containerd}.sock`],
  ]) {
    if (isAlive(readPid(file), folder)) continue
    for (const stale of [file, ...others]) rmSync(stale, { force: true })
  }
}

function readPid(file) {
  try {
    return Number(readFileSync(file, 'utf8').trim())
  } catch {
    return 0
  }
}

/** Whether a live process has the folder in its command line. */
function isAlive(pid, folder) {
  try {
    const state = /^State:\s*(\w)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    return state !== 'Z' && state !== 'X' && command.includes(folder)
  } catch {
    return false
  }
}

const lastLine = (text) => text.trim().split('\n').at(-1)
