import { mkdir } from 'node:fs/promises'
import path from 'node:path'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { importBusybox } from '../../../drivers/docker/src/testing/busybox.ts'
import { type Engine, engineIn } from './engine.ts'
import type { Machine } from './machine.ts'
import { makeNetwork, type Network } from './network.ts'
import { type Program, program } from './program.ts'
import { wire } from './wire.ts'

const repository = path.resolve(import.meta.dirname, '../../..')

/** A further node of the installation, with an agent of its own in the folder of its name. */
export interface JoinedNode extends AsyncDisposable {
  readonly id: string
  readonly agent: Program
}

/** Joins a node with the token of its enrolment, and waits until it is online. */
export async function joinNode(
  machine: Machine,
  given: {
    readonly name: string
    readonly network: Network
    readonly environment: Readonly<Record<string, string>>
  },
): Promise<JoinedNode> {
  const { admin } = machine
  const { name, network } = given
  const { id } = await admin.must('POST /api/nodes', {
    body: {
      name,
      location: 'there',
      memoryMb: 512,
      cpuPercent: 100,
      diskMb: 2048,
      portRanges: [{ from: 26_000, to: 26_010 }],
    },
  })
  const params = { id }
  const { token } = await admin.must('POST /api/nodes/{id}/enrollment', { params })
  const environment = {
    LODGE_AGENT_DATA: path.join(machine.folder, name),
    LODGE_AGENT_MACHINES: 'none',
    ...given.environment,
  }
  const entry = [process.execPath, 'agent/src/main.ts']
  const [file, args] = network.inside([...entry, 'join', token])
  const joined = await runProgram(file, args, { cwd: repository, environment })
  if (joined.code !== 0) throw new Error(`${name} did not join: ${joined.output}`)
  const logFile = path.join(machine.folder, `${name}.log`)
  const command = [...entry, 'run']
  const agent = program({ network, command, cwd: repository, environment, logFile })
  agent.start()
  await machine.until(
    `${name} is online`,
    async () => (await admin.must('GET /api/nodes/{id}', { params })).state === 'online',
  )
  return { id, agent, [Symbol.asyncDispose]: () => agent.stop() }
}

export interface DockerNode extends JoinedNode {
  readonly network: Network
  readonly engine: Engine
}

/** A Docker engine that has the busybox image, in a network of its own that reaches the machine's. */
export async function startSecondEngine(
  machine: Machine,
): Promise<{ network: Network; engine: Engine }> {
  const network = await makeNetwork()
  // The machine removes it with its own network, after which another one of this name may exist.
  await mkdir(path.join(machine.folder, network.name))
  await wire(machine.network, network)
  const folder = path.join(machine.folder, 'docker2')
  const engine = engineIn({ folder, network, liveRestore: true })
  await engine.start()
  await importBusybox(engine.socketPath)
  return { network, engine }
}

/** A node called `second`, with a Docker engine and a network of its own. */
export async function startSecondNode(
  machine: Machine,
  more: Readonly<Record<string, string>> = {},
): Promise<DockerNode> {
  const { network, engine } = await startSecondEngine(machine)
  const environment = { LODGE_AGENT_DOCKER_SOCKET: engine.socketPath, ...more }
  try {
    const { id, agent } = await joinNode(machine, { name: 'second', network, environment })
    return {
      id,
      agent,
      network,
      engine,
      async [Symbol.asyncDispose]() {
        await agent.stop()
        await engine.remove()
      },
    }
  } catch (error) {
    await engine.remove()
    throw error
  }
}
