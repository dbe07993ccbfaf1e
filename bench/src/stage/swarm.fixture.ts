import { mkdtemp } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { openEngine } from '../../../drivers/docker/src/engine/client.ts'
import { BUSYBOX, importBusybox } from '../../../drivers/docker/src/testing/busybox.ts'
import { type Engine, engineIn } from '../../../test/real/support/engine.ts'
import { makeNetwork, type Network } from '../../../test/real/support/network.ts'
import { wire } from '../../../test/real/support/wire.ts'
import { until } from '../../../test/support/until.ts'
import type { Bench } from '../row.ts'
import { cutPower } from './power-cut.ts'

const PORT = 2377
const SERVICE = 'server'

interface SwarmNode {
  readonly folder: string
  readonly network: Network
  readonly engine: Engine
  readonly docker: ReturnType<typeof openEngine>['docker']
}

/** Docker Swarm as it is after `docker swarm init`: one manager, two workers, a service with one task. */
export interface Swarm {
  /** Cuts the power of the worker that runs the task; ms until the manager shows it running on the other. */
  failOver(): Promise<number>
}

export async function startSwarm(bench: Bench): Promise<Swarm> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-bench-swarm-'))
  const nodes: SwarmNode[] = []
  for (const name of ['manager', 'one', 'two']) nodes.push(await startNode(bench, folder, name))
  const [manager, one, two] = nodes as [SwarmNode, SwarmNode, SwarmNode]
  await wire(manager.network, one.network)
  await wire(manager.network, two.network, 'eth2')
  await wire(one.network, two.network, 'eth3')

  const at = (node: SwarmNode) => `${node.network.address}:${PORT}`
  await manager.docker.swarmInit({ ListenAddr: at(manager), AdvertiseAddr: at(manager) })
  const { JoinTokens } = await manager.docker.swarmInspect()
  for (const worker of [one, two])
    await worker.docker.swarmJoin({
      ListenAddr: at(worker),
      AdvertiseAddr: at(worker),
      RemoteAddrs: [at(manager)],
      JoinToken: JoinTokens.Worker,
    })
  await manager.docker.createService({
    Name: SERVICE,
    TaskTemplate: {
      ContainerSpec: { Image: BUSYBOX, Command: ['sh', '-c', 'while :; do sleep 0.2; done'] },
      Placement: { Constraints: ['node.role==worker'] },
    },
    Mode: { Replicated: { Replicas: 1 } },
  } as never)

  /** The address of the worker on which the task runs. */
  async function runsOn(): Promise<string | undefined> {
    const tasks = await manager.docker.listTasks({
      filters: { service: [SERVICE], 'desired-state': ['running'] },
    })
    const task = tasks.find(({ Status }) => Status.State === 'running')
    if (!task) return undefined
    const { Status } = await manager.docker.getNode(task.NodeID).inspect()
    return Status.Addr
  }
  const isReady = async () =>
    (await manager.docker.listNodes()).every(({ Status }) => Status?.State === 'ready')

  await until(runsOn)
  return {
    async failOver() {
      await until(isReady, 120_000)
      const before = await until(runsOn)
      const lost = [one, two].find(({ network }) => network.address === before)
      if (!lost) throw new Error(`no worker is at ${before}`)
      const beganMs = performance.now()
      await cutPower(lost.network, lost.folder)
      await until(async () => {
        const now = await runsOn()
        return now !== undefined && now !== before
      }, 120_000)
      const tookMs = performance.now() - beganMs
      await lost.engine.start()
      return tookMs
    },
  }
}

async function startNode(bench: Bench, parent: string, name: string): Promise<SwarmNode> {
  const folder = path.join(parent, name)
  const network = bench.ending.add(await makeNetwork(), (one) => one.remove())
  const engine = engineIn({ folder, network, liveRestore: false })
  bench.ending.add(engine, (one) => one.remove())
  await engine.start()
  await importBusybox(engine.socketPath)
  return { folder, network, engine, docker: openEngine(engine.socketPath).docker }
}
