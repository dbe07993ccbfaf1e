import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import path from 'node:path'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { firewallTable } from '../../../drivers/docker/src/network/firewall.ts'
import { processesOf, until } from '../../support/processes.ts'

const NAMES_OF_ITS_PROGRAMS = /dockerd|containerd|docker-proxy/

/** True for the engine and what it starts, which outlive `npm start`. */
export const isEngine = ({ command }: { command: string }) => NAMES_OF_ITS_PROGRAMS.test(command)

/** The pid of the engine that `npm start` runs under its data folder. */
export function enginePid(dataFolder: string): number {
  return Number(readFileSync(path.join(dataFolder, 'docker/dockerd.pid'), 'utf8'))
}

/** When the main process of each running container started, by the container's id. */
export async function containers(dataFolder: string): Promise<Map<string, string>> {
  const listed = await ask(dataFolder, 'GET', '/containers/json')
  const found = await Promise.all(
    listed.map(({ Id }: { Id: string }) => ask(dataFolder, 'GET', `/containers/${Id}/json`)),
  )
  return new Map(found.map(({ Id, State }) => [Id, `${State.Pid} ${State.StartedAt}`]))
}

/**
 * Ends the engine and its containers and networks, and waits until no process of the folder is left.
 */
export async function endEngine(dataFolder: string): Promise<void> {
  const listed = await ask(dataFolder, 'GET', '/containers/json?all=1').catch(() => [])
  for (const { Id } of listed) await ask(dataFolder, 'DELETE', `/containers/${Id}?force=1`)
  const own = encodeURIComponent(JSON.stringify({ type: ['custom'] }))
  const networks = await ask(dataFolder, 'GET', `/networks?filters=${own}`).catch(() => [])
  for (const { Id } of networks) await ask(dataFolder, 'DELETE', `/networks/${Id}`)
  for (const { pid } of processesOf(dataFolder)) endIfThere(pid)
  await until(() => processesOf(dataFolder).length === 0 || undefined)
  // The filter outlives its agent, like the servers.
  const table = firewallTable(path.join(dataFolder, 'agent/servers'))
  await runProgram('nft', ['delete', 'table', 'inet', table])
}

function endIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM')
  } catch {
    // It has exited already, with its parent.
  }
}

function ask(dataFolder: string, method: string, where: string) {
  const socketPath = path.join(dataFolder, 'docker/docker.sock')
  return new Promise<ReturnType<typeof JSON.parse>>((resolve, reject) => {
    const sent = request({ socketPath, method, path: where }, (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (part) => {
        text += part
      })
      answer.on('end', () => {
        if ((answer.statusCode ?? 500) < 300) resolve(text === '' ? undefined : JSON.parse(text))
        else reject(new Error(`${method} ${where}: ${answer.statusCode} ${text}`))
      })
    })
    sent.on('error', reject)
    sent.end()
  })
}
