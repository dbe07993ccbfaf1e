// Finds a Docker engine for the agent of this machine, or starts one.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, openSync, readFileSync } from 'node:fs'
import http from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { findProgram, say } from './place.mjs'

const systemSocket = '/var/run/docker.sock'
const longestSocketPath = 107
const startWithinMs = 60_000

/**
 * The socket of a Docker engine that answers, or undefined with the reason told. The engine of the
 * system comes first; without one an engine of our own runs under `<dataFolder>/docker`. It keeps
 * running when we end, as the servers in it do, and the next start finds it again.
 */
export async function ensureDockerEngine(dataFolder) {
  const folder = path.join(dataFolder, 'docker')
  const ownSocket = path.join(folder, 'docker.sock')
  const given = process.env.DOCKER_HOST?.replace(/^unix:\/\//, '')
  for (const socket of [given, systemSocket, ownSocket]) {
    if (socket?.startsWith('/') && (await answers(socket))) return socket
  }
  if (startBySystemd() && (await comesUp(systemSocket))) return systemSocket
  return startOwn(folder, ownSocket)
}

async function startOwn(folder, socket) {
  const dockerd = findProgram('dockerd')
  if (!dockerd) return without('no dockerd is installed')
  if (process.getuid() !== 0) return without('starting Docker needs root, and none is running')
  if (
    Buffer.byteLength(path.join(folder, 'exec/containerd/containerd-debug.sock')) >
    longestSocketPath
  ) {
    return without(`${folder} is too long a path for Docker's sockets`)
  }

  say('Starting a Docker engine ...')
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const logFile = path.join(folder, 'dockerd.log')
  const log = openSync(logFile, 'w')
  const options = {
    'data-root': path.join(folder, 'data'),
    'exec-root': path.join(folder, 'exec'),
    pidfile: path.join(folder, 'dockerd.pid'),
    host: `unix://${socket}`,
    // Servers get networks of their own; a second engine would fight over the default bridge.
    bridge: 'none',
  }
  const flags = Object.entries(options).map(([name, value]) => `--${name}=${value}`)
  // A session of its own: Ctrl-C ends the panel, not the servers.
  const engine = spawn(dockerd, flags, { detached: true, stdio: ['ignore', log, log] })
  engine.unref()
  if (await comesUp(socket, () => engine.exitCode === null)) return socket
  return without(`dockerd did not start: ${lastLine(readFileSync(logFile, 'utf8'))}`)
}

function startBySystemd() {
  if (!existsSync('/run/systemd/system')) return false
  return spawnSync('systemctl', ['start', 'docker'], { stdio: 'ignore' }).status === 0
}

async function comesUp(socket, isRunning = () => true) {
  const deadline = Date.now() + startWithinMs
  while (Date.now() < deadline && isRunning()) {
    if (await answers(socket)) return true
    await pause(100)
  }
  return false
}

/** True when an engine answers a ping there and lets us in. */
function answers(socket) {
  if (Buffer.byteLength(socket) > longestSocketPath) return false
  return new Promise((resolve) => {
    const ping = http.get({ socketPath: socket, path: '/_ping', timeout: 3_000 }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
  })
}

function without(reason) {
  say(`No Docker engine: ${reason}. The panel works, this machine runs no servers.`)
  return undefined
}

const lastLine = (text) => text.trim().split('\n').at(-1)
