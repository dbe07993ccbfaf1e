// This machine's agent: enrolled with the token that the control plane leaves for it, then run.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { at, childEnvironment, root } from './place.mjs'

const main = at('agent/src/main.ts')
const tokenWithinMs = 10_000

/** Program and environment of the agent whose state is in `<dataFolder>/agent`. */
export function localAgent({ dataFolder, engine, fleetPort, logLevel }) {
  const folder = path.join(dataFolder, 'agent')
  return {
    joinFile: path.join(dataFolder, 'local-node.join'),
    identityFile: path.join(folder, 'node.json'),
    run: [main, 'run'],
    env: {
      LODGE_AGENT_DATA: folder,
      // It may have joined on the port of an earlier start.
      LODGE_AGENT_FLEET_ADDRESS: `127.0.0.1:${fleetPort}`,
      LODGE_AGENT_DOCKER_SOCKET: engine.socket,
      // Without systemd, `npm start` supervises libvirt.
      LODGE_AGENT_LIBVIRT_SUPERVISED: String(!existsSync('/run/systemd/system')),
      LODGE_AGENT_ENGINE_SUPERVISED: String(engine.keeper !== undefined),
      LODGE_AGENT_LOG_LEVEL: logLevel,
    },
  }
}

/**
 * Makes this machine a node if it is not one yet: the control plane leaves a join token while its
 * local node has no agent. Returns what went wrong, or undefined.
 */
export async function joinLocalNode({ joinFile, identityFile, env }) {
  const deadline = Date.now() + tokenWithinMs
  while (!existsSync(joinFile)) {
    if (existsSync(identityFile)) return undefined
    if (Date.now() > deadline) return 'the control plane left no join token'
    await pause(50)
  }
  const joined = spawnSync(
    process.execPath,
    [main, 'join', readFileSync(joinFile, 'utf8').trim()],
    {
      cwd: root,
      env: childEnvironment(env),
      encoding: 'utf8',
    },
  )
  if (joined.status === 0) return undefined
  return joined.stderr.trim().split('\n').at(-1) || `the agent ended with code ${joined.status}`
}
