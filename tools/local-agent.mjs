// The agent of this machine: joined by the token that the control plane leaves for it, then run.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { at, childEnvironment, root } from './place.mjs'

const main = at('agent/src/main.ts')

/** The program and the environment of the agent that keeps its state under `<dataFolder>/agent`. */
export function localAgent(dataFolder, dockerSocket) {
  return {
    joinFile: path.join(dataFolder, 'local-node.join'),
    run: [main, 'run'],
    env: {
      LODGE_AGENT_DATA: path.join(dataFolder, 'agent'),
      LODGE_DOCKER_SOCKET: dockerSocket,
    },
  }
}

/**
 * Makes this machine a node where it is not one yet: the control plane writes the join token only
 * while its local node has no agent. Returns what went wrong, or undefined.
 */
export function joinLocalNode({ joinFile, env }) {
  if (!existsSync(joinFile)) return undefined
  const token = readFileSync(joinFile, 'utf8').trim()
  const joined = spawnSync(process.execPath, [main, 'join', token], {
    cwd: root,
    env: childEnvironment(env),
    encoding: 'utf8',
  })
  if (joined.status === 0) return undefined
  return joined.stderr.trim().split('\n').at(-1) || `the agent ended with code ${joined.status}`
}
