import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import http from 'node:http'
import path from 'node:path'
import { unmountBelow } from '../../../drivers/docker/src/testing/dockerd.ts'
import { endWorkloads, killQuietly } from '../../../drivers/docker/src/testing/remains.ts'
import { processesOf } from '../../support/processes.ts'
import { until } from '../../support/until.ts'
import type { Network } from './network.ts'
import { type Program, program } from './program.ts'

/** A Docker engine in its own network namespace. */
export interface Engine {
  readonly socketPath: string
  readonly program: Program
  /** Starts it, also after a kill, and waits until it responds. */
  start(): Promise<void>
  /** Ends the engine and everything that runs in it, in any state. */
  remove(): Promise<void>
}

/** Configured like the engine of `npm start`: without the default bridge. */
export function engineIn(given: {
  folder: string
  network: Network
  liveRestore: boolean
}): Engine {
  const { folder, network } = given
  const socketPath = path.join(folder, 'docker.sock')
  const dockerd = program({
    network,
    command: [
      'dockerd',
      `--data-root=${folder}/data`,
      `--exec-root=${folder}/exec`,
      `--pidfile=${folder}/dockerd.pid`,
      `--host=unix://${socketPath}`,
      '--bridge=none',
      ...(given.liveRestore ? ['--live-restore'] : []),
    ],
    logFile: path.join(folder, 'dockerd.log'),
  })
  return {
    socketPath,
    program: dockerd,
    async start() {
      await mkdir(folder, { recursive: true })
      // Its containerd dies with it, but may remain as a zombie: a new engine would wait for it
      // forever.
      for (const file of ['dockerd.pid', 'exec/containerd/containerd.pid'])
        await rm(path.join(folder, file), { force: true })
      dockerd.start()
      await until(async () => {
        if (!dockerd.isRunning) throw new Error(`dockerd ended: ${dockerd.lastWords()}`)
        return answers(socketPath)
      })
    },
    async remove() {
      await endWorkloads(folder)
      await dockerd.stop()
      await removeEngine(folder)
    },
  }
}

/** Removes the remains of a dead engine. */
export async function removeEngine(folder: string): Promise<void> {
  await endWorkloads(folder)
  for (const { pid } of processesOf(folder)) killQuietly(pid)
  await until(() => processesOf(folder).length === 0)
  await unmountBelow(folder)
  await rm(folder, { recursive: true, force: true })
}

function answers(socketPath: string): Promise<boolean> {
  if (!existsSync(socketPath)) return Promise.resolve(false)
  return new Promise((resolve) => {
    const ping = http.get({ socketPath, path: '/_ping', timeout: 2000 }, (answer) => {
      answer.resume()
      resolve(answer.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
  })
}
