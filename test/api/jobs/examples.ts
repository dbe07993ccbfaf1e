import { randomUUID } from 'node:crypto'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import type { Lodge } from '../../support/stack.ts'
import { type FileServer, isoImage, jobEnd, makeVm, sha256 } from '../../support/vm-world.ts'

/** The environment of the examples: two nodes that run machines, with a network for both. */
export interface World {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly owner: Caller
  readonly here: RealAgent
  readonly there: RealAgent
  readonly networkId: string
  readonly files: FileServer
}

/** One job of a saga, on things that no other case touches. */
export interface Prepared {
  /** The title or the input of the job contains it. */
  readonly id: string
  /** Ids of everything it concerns and creates, with readable names; filled in as they become known. */
  readonly names: Map<string, string>
  /** Requests the job, as a person does. @returns its id */
  begin(): Promise<string>
}

interface Example {
  /** Its cases share something, so they run one after another. */
  readonly alone?: boolean
  /** @param returns whether the case will be rolled back */
  prepare(world: World, returns: boolean): Promise<Prepared>
  /**
   * Steps after whose effect there is nothing to go back to: a later failure ends in the same state
   * as success.
   */
  readonly final?: readonly string[]
  /** What remains after a rolled-back job that leaves something on purpose. */
  readonly leaves?: (part: readonly string[]) => readonly string[]
}

async function machine({
  lodge,
  owner,
  here,
  networkId,
}: World): Promise<Prepared['names'] & { id: string }> {
  const { id } = await makeVm(lodge, owner.id, { nodeId: here.nodeId, networkId })
  const { rows } = await lodge.database.pool.query<{ text: string; name: string }>(
    `select uuid::text as text, 'UUID' as name from machines where server_id = $1
     union all select mac, 'MAC' from machines where server_id = $1
     union all select address::text, 'ADDRESS' from machines where server_id = $1
     union all select host('0.0.0.0'::inet + address), 'IP' from machines where server_id = $1
     union all select host_port::text, 'PORT' from server_ports where server_id = $1
     union all select '"metric_key":' || metric_key || '}', 'METRICS' from servers where id = $1`,
    [id],
  )
  const names = new Map([[id, 'SERVER'], ...rows.map((row) => [row.text, row.name] as const)])
  return Object.assign(names, { id })
}

async function snapshot(
  world: World,
): Promise<{ names: Map<string, string>; id: string; snapshotId: string }> {
  const names = await machine(world)
  const { id } = names
  world.here.driver.runtime.machines.get(id)?.parts.set('system', 'kept')
  const made = await take(world, id)
  await jobEnd(world.owner, made.jobId, 'done')
  names.set(made.snapshotId, 'SNAPSHOT')
  return { names, id, snapshotId: made.snapshotId }
}

const take = ({ owner }: World, id: string) =>
  owner.must('POST /api/servers/{id}/vm/snapshots', { params: { id }, body: { name: 'one' } })

/** An example of every saga; the grid fails for a saga without one. */
export const EXAMPLES: Readonly<Record<string, Example>> = {
  'node.images.free': {
    alone: true,
    async prepare({ admin, here }) {
      return {
        id: here.nodeId,
        names: new Map(),
        begin: async () => {
          const params = { id: here.nodeId }
          const { jobId } = await admin.must('POST /api/nodes/{id}/images/free', { params })
          return jobId
        },
      }
    },
  },
  'vm.medium.check': {
    async prepare({ admin, files }) {
      const name = `medium-${randomUUID()}`
      const path = `/${name}.iso`
      const content = isoImage(name)
      files.files.set(path, content)
      files.files.set(`${path}.sums`, Buffer.from(`${sha256(content)}  ${path.slice(1)}\n`))
      const url = files.url(path)
      const names = new Map([
        [sha256(content), 'FINGERPRINT'],
        [url, 'URL'],
        [name, 'NAME'],
      ])
      return {
        id: name,
        names,
        async begin() {
          const { medium, jobId } = await admin.must('POST /api/virtualization/media', {
            body: { name, kind: 'iso', url, checksumUrl: `${url}.sums` },
          })
          names.set(medium.id, 'MEDIUM').set(jobId, 'JOB')
          return jobId
        },
      }
    },
    // It records why it cannot be used.
    leaves: (part) => (part.includes('vm_media.state {"state":"failed"}') ? [] : part),
  },
  'vm.snapshot.create': {
    async prepare(world) {
      const names = await machine(world)
      return {
        id: names.id,
        names,
        async begin() {
          const made = await take(world, names.id)
          names.set(made.snapshotId, 'SNAPSHOT')
          return made.jobId
        },
      }
    },
  },
  'vm.snapshot.restore': {
    async prepare(world, returns) {
      const { names, id, snapshotId } = await snapshot(world)
      // A restored snapshot stays when the job fails after it: there is no older state to go back
      // to.
      if (!returns) world.here.driver.runtime.machines.get(id)?.parts.set('system', 'changed')
      return {
        id,
        names,
        async begin() {
          const { jobId } = await world.owner.must(
            'POST /api/servers/{id}/vm/snapshots/{snapshot}/restore',
            { params: { id, snapshot: snapshotId }, body: { confirm: true } },
          )
          return jobId
        },
      }
    },
  },
  'vm.snapshot.delete': {
    final: ['Delete'],
    async prepare(world) {
      const { names, id, snapshotId } = await snapshot(world)
      return {
        id,
        names,
        async begin() {
          const { jobId } = await world.owner.must(
            'DELETE /api/servers/{id}/vm/snapshots/{snapshot}',
            { params: { id, snapshot: snapshotId } },
          )
          return jobId
        },
      }
    },
  },
  'vm.migrate': {
    async prepare(world) {
      const names = await machine(world)
      const { id } = names
      return {
        id,
        names,
        async begin() {
          const { jobId } = await world.owner.must('POST /api/servers/{id}/vm/migrate', {
            params: { id },
            body: { nodeId: world.there.nodeId, networkId: world.networkId },
          })
          return jobId
        },
      }
    },
  },
}
