import { openEngine } from '../../../drivers/docker/src/engine/client.ts'

/** Docker's view of one server's container. */
export interface Container {
  readonly id: string
  readonly pid: number
  readonly startedAt: string
  readonly running: boolean
}

/** The servers' containers by server id. */
export async function containersOf(
  socketPath: string,
  kind: 'run' | 'install' = 'run',
): Promise<Map<string, Container>> {
  const engine = openEngine(socketPath)
  const listed = await engine.call(() =>
    engine.docker.listContainers({ all: true, filters: { label: [`lodge.kind=${kind}`] } }),
  )
  const found = await Promise.all(
    listed.map(async ({ Id, Labels }) => {
      const facts = await engine.find(() => engine.docker.getContainer(Id).inspect())
      if (!facts) return []
      const { Pid, StartedAt, Running } = facts.State
      const container = { id: Id, pid: Pid, startedAt: StartedAt, running: Running }
      return [[Labels['lodge.server'] ?? '', container] as const]
    }),
  )
  return new Map(found.flat())
}
