// Finds a Docker engine for this machine's agent, or starts one.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { answers, comesUp } from './engine-socket.mjs'
import { keepOwnEngine, ownSocket, startOwnEngine } from './own-engine.mjs'
import { say } from './place.mjs'

const systemSocket = '/var/run/docker.sock'

/**
 * Returns the engine to use: its `socket`, and a `keeper` if it is our own engine under
 * `<dataFolder>/docker`, which is restarted when it dies. Prefers the system's engine. Returns
 * undefined, after reporting the reason, when there can be none.
 */
export async function ensureDockerEngine(dataFolder) {
  const folder = path.join(dataFolder, 'docker')
  const given = process.env.DOCKER_HOST?.replace(/^unix:\/\//, '')
  for (const socket of [given, systemSocket]) {
    if (socket?.startsWith('/') && (await answers(socket))) return { socket }
  }
  if (await answers(ownSocket(folder))) return kept(folder)
  if (startBySystemd() && (await comesUp(systemSocket))) return { socket: systemSocket }
  say('Starting a Docker engine ...')
  const fault = await startOwnEngine(folder)
  if (!fault) return kept(folder)
  say(`No Docker engine: ${fault}. The panel works, this machine runs no servers.`)
  return undefined
}

const kept = (folder) => ({ socket: ownSocket(folder), keeper: keepOwnEngine(folder) })

function startBySystemd() {
  if (!existsSync('/run/systemd/system')) return false
  return spawnSync('systemctl', ['start', 'docker'], { stdio: 'ignore' }).status === 0
}
