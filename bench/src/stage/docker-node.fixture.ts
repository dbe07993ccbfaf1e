import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { serverPaths } from '../../../drivers/docker/src/data/layout.ts'
import { importBusybox } from '../../../drivers/docker/src/testing/busybox.ts'
import { startDockerd } from '../../../drivers/docker/src/testing/dockerd.ts'
import type { Bench } from '../row.ts'
import { startAgent } from './agent.fixture.ts'
import type { Database } from './database.ts'
import type { ControlPlaneSide } from './sides.ts'

/** Calls the engine's API; a body is sent as JSON. Throws on any response but a success. */
export type AskEngine = (method: string, path: string, body?: unknown) => Promise<string>

/** A Docker engine of this run and the real agent on it, as the only node of the database. */
export async function startDockerNode(
  bench: Bench,
  database: Database,
  side: ControlPlaneSide,
): Promise<{
  ask: AskEngine
  socketPath: string
  /** Where the agent keeps the data of a server. */
  dataOf: (serverId: string) => string
  agentPid: number
}> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-bench-docker-'))
  bench.ending.add(folder, async (one) => {
    // Each server's limited disk is a mounted file system.
    await unmountBelow(one)
    await rm(one, { recursive: true, force: true })
  })
  const engine = bench.ending.add(
    await startDockerd({ folder: path.join(folder, 'engine') }),
    (one) => one.stop(),
  )
  await importBusybox(engine.socketPath)
  const agent = await startAgent(bench, database, side, path.join(folder, 'agent'), {
    LODGE_AGENT_DOCKER_SOCKET: engine.socketPath,
  })
  const { socketPath } = engine
  const dataRoot = path.join(folder, 'agent/servers')
  return {
    ask: engineCaller(socketPath),
    socketPath,
    agentPid: agent.pid,
    dataOf: (serverId) => serverPaths(dataRoot, serverId).data,
  }
}

async function unmountBelow(folder: string): Promise<void> {
  const mounts = (await readFile('/proc/self/mounts', 'utf8')).split('\n')
  const below = mounts.map((line) => line.split(' ')[1] ?? '').filter((at) => at.startsWith(folder))
  for (const at of below.toReversed()) spawnSync('umount', [at])
}

const engineCaller =
  (socketPath: string): AskEngine =>
  (method, path, body) =>
    new Promise((resolve, reject) => {
      const text = body === undefined ? '' : JSON.stringify(body)
      const headers = { 'content-type': 'application/json', 'content-length': text.length }
      const request = http.request({ socketPath, method, path, headers }, (response) => {
        let answer = ''
        response.on('data', (chunk) => {
          answer += chunk
        })
        response.on('end', () => {
          if ((response.statusCode ?? 500) < 300) resolve(answer)
          else reject(new Error(`${method} ${path}: ${response.statusCode} ${answer}`))
        })
      })
      request.on('error', reject)
      request.end(text)
    })
