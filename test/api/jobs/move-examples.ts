import { until } from '../../support/until.ts'
import { container, type Example, machine, type World } from './example-things.ts'

/** The former copy of a server that has moved is deleted a moment after the job. */
export const placeLeft = ({ lodge }: World, id: string) =>
  until(async () => {
    const left = 'select from server_moves where server_id = $1'
    return (await lodge.database.pool.query(left, [id])).rows.length === 0 || undefined
  }).then(() => undefined)

/** A move from the disk of its node onto the storage that only the target has. */
const ontoStorage = (make: typeof container | typeof machine): Example => ({
  async prepare(world) {
    const { admin, there } = world
    const made = await make(world)
    const { id } = made
    const { storages } = await admin.must('GET /api/nodes/{id}', { params: { id: there.nodeId } })
    const body = { nodeId: there.nodeId, storageId: storages[0]?.id ?? null }
    const names = 'names' in made ? made.names : made
    return {
      ...{ id, names },
      begin: async () =>
        (await admin.must('POST /api/servers/{id}/migrate', { params: { id }, body })).jobId,
      async settled() {
        await placeLeft(world, id)
        // The target may have others for it.
        const { rows } = await world.lodge.database.pool.query<{ port: string }>(
          'select host_port::text as port from server_ports where server_id = $1',
          [id],
        )
        for (const { port } of rows) names.set(port, 'PORT')
      },
    }
  },
})

/** Onto the storage of its own node, where it stays once it may have run there. */
const changesStorage = (make: typeof container | typeof machine): Example => ({
  final: ['Prove the new storage'],
  async prepare(world) {
    const { admin, there, lodge } = world
    const made = await make({ ...world, here: there })
    const { id } = made
    const { storages } = await admin.must('GET /api/nodes/{id}', { params: { id: there.nodeId } })
    const body = { nodeId: there.nodeId, storageId: storages[0]?.id ?? null }
    return {
      ...{ id, names: 'names' in made ? made.names : made },
      begin: async () =>
        (await admin.must('POST /api/servers/{id}/migrate', { params: { id }, body })).jobId,
      settled: () =>
        until(async () => {
          const left = 'select from storage_copies where server_id = $1'
          return (await lodge.database.pool.query(left, [id])).rows.length === 0 || undefined
        }).then(() => undefined),
    }
  },
})

export const storageChange = changesStorage(container)

export const MOVE_EXAMPLES: readonly (readonly [title: string, saga: string, Example])[] = [
  ['server.migrate onto a storage', 'server.migrate', ontoStorage(container)],
  ['vm.migrate onto a storage', 'vm.migrate', ontoStorage(machine)],
  ['server.storage of a machine', 'server.storage', changesStorage(machine)],
]
