import { randomUUID } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { snapshotOf } from '@lodge/driver-fake/backup-store.ts'
import type { Caller } from '../../support/caller.ts'
import { type RealAgent, startRealAgent } from '../../support/real-agent.ts'
import { shareBackups } from '../../support/shared-backups.ts'
import type { Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import { connected, type FileServer, jobEnd, makeVm } from '../../support/vm-world.ts'

/** The environment of the examples: two nodes that run machines, with a network for both. */
export interface World {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly owner: Caller
  readonly here: RealAgent
  readonly there: RealAgent
  readonly networkId: string
  readonly files: FileServer
  /** For data that is written outside the nodes. */
  readonly folder: string
}

/** One job of a saga, on things that no other case touches. */
export interface Prepared {
  /** The title or the input of the job contains it. */
  readonly id: string
  /** Ids of everything it concerns and creates, with readable names; filled in as they become known. */
  readonly names: Map<string, string>
  /** Requests the job, as a person does. @returns its id */
  begin(): Promise<string>
  /** Waits for what happens automatically after the job. */
  settled?(): Promise<void>
}

export interface Example {
  /** Its cases share something, so they run one after another. */
  readonly alone?: boolean
  /** @param returns whether the case will be rolled back */
  prepare(world: World, returns: boolean): Promise<Prepared>
  /**
   * A step after whose effect there is nothing to go back to: a later failure, also of a later step, ends
   * in the same state as success.
   */
  readonly final?: readonly string[]
  /** Names of ids whose rows a rolled-back job keeps on purpose. */
  readonly keeps?: readonly string[]
  /** What remains after a rolled-back job that leaves something on purpose. */
  readonly leaves?: (part: readonly string[]) => readonly string[]
}

export async function machine({
  lodge,
  owner,
  here,
  networkId,
}: World): Promise<Prepared['names'] & { id: string }> {
  const { id } = await makeVm(lodge, owner.id, { nodeId: here.nodeId, networkId })
  return Object.assign(await namesOfMachine(lodge, id), { id })
}

/** What a machine is called in tables. */
export async function namesOfMachine(
  { database }: Lodge,
  id: string,
): Promise<Map<string, string>> {
  const { rows } = await database.pool.query<{ text: string; name: string }>(
    `select uuid::text as text, 'UUID' as name from machines where server_id = $1
     union all select mac, 'MAC' from machines where server_id = $1
     union all select address::text, 'ADDRESS' from machines where server_id = $1
     union all select host('0.0.0.0'::inet + address), 'IP' from machines where server_id = $1
     union all select host_port::text, 'PORT' from server_ports where server_id = $1
     union all select '"metric_key":' || metric_key || '}', 'METRICS' from servers where id = $1`,
    [id],
  )
  return new Map([[id, 'SERVER'], ...rows.map((row) => [row.text, row.name] as const)])
}

export async function snapshot(
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

export const take = ({ owner }: World, id: string) =>
  owner.must('POST /api/servers/{id}/vm/snapshots', { params: { id }, body: { name: 'one' } })

/** A server that other cases left behind, because the nodes have capacity for few. */
export async function anyServer(world: World): Promise<string> {
  const { rows } = await world.lodge.database.pool.query<{ id: string }>(
    `select id from servers where owner_id = $1
       and not exists (select from server_holds where server_id = id) order by id limit 1`,
    [world.owner.id],
  )
  return rows[0]?.id ?? (await machine(world)).id
}

/** What a container server is called in tables. */
export async function namesOf({ database }: Lodge, id: string): Promise<Map<string, string>> {
  const { rows } = await database.pool.query<{ text: string; name: string }>(
    `select host_port::text as text, 'PORT' as name from server_ports where server_id = $1
     union all select '"metric_key":' || metric_key || '}', 'METRICS' from servers where id = $1`,
    [id],
  )
  return new Map([[id, 'SERVER'], ...rows.map((row) => [row.text, row.name] as const)])
}

/** A stopped container server with files. */
export async function container({ lodge, admin, owner, here }: World) {
  template ??= lodge.template()
  const { id: templateId } = await template
  const { serverId: id, jobId } = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId: owner.id, templateId, nodeId: here.nodeId, start: false },
  })
  await jobEnd(admin, jobId, 'done')
  here.driver.runtime.folders.set(here.driver.dataFolder(id), 'first')
  const names = await namesOf(lodge, id)
  return { id, names }
}
let template: Promise<{ id: string }> | undefined

export async function backUp({ owner }: World, id: string, names: Map<string, string>) {
  const made = await owner.must('POST /api/servers/{id}/backups', {
    params: { id },
    body: { name: 'one' },
  })
  names.set(made.backupId, 'BACKUP').set(snapshotOf(made.backupId), 'SNAPSHOT')
  return made
}

export async function backedUp(world: World) {
  const { id, names } = await container(world)
  const { jobId, backupId } = await backUp(world, id, names)
  await jobEnd(world.owner, jobId, 'done')
  world.here.driver.runtime.folders.set(world.here.driver.dataFolder(id), 'second')
  return { id, names, backupId }
}

async function cloned(
  { lodge, admin, here }: World,
  { id, names }: { readonly id: string; readonly names: Map<string, string> },
  /** Has the name of the clone, by which its job is found among those that back up the original. */
  given: { readonly name: string; readonly backupId?: string; readonly includeData?: boolean },
  namedAs: typeof namesOf,
): Promise<string> {
  const { jobId, serverId } = await admin.must('POST /api/servers/{id}/clone', {
    params: { id },
    body: { nodeId: here.nodeId, ...given },
  })
  names.set(serverId, 'CLONE')
  for (const [text, name] of await namedAs(lodge, serverId))
    if (text !== serverId) names.set(text, `${name} OF CLONE`)
  return jobId
}

/** A clone of a container server, with the files of a backup. */
export const clonedContainer: Example = {
  async prepare(world) {
    const { id, names, backupId } = await backedUp(world)
    const name = randomUUID()
    names.set(name, 'NAME')
    const begin = () => cloned(world, { id, names }, { name, backupId }, namesOf)
    return { id: name, names, begin }
  },
}

/** A clone of a virtual machine, with its present disks. */
export const clonedMachine: Example = {
  async prepare(world) {
    const names = await machine(world)
    const { id } = names
    world.here.driver.runtime.machines.get(id)?.parts.set('system', 'written to')
    const name = randomUUID()
    names.set(name, 'NAME')
    return {
      id: name,
      names,
      async begin() {
        const given = { name, includeData: true }
        const jobId = await cloned(world, { id, names }, given, namesOfMachine)
        const { rows } = await world.lodge.database.pool.query<{ id: string }>(
          'select id from server_backups where server_id = $1',
          [id],
        )
        for (const { id } of rows) names.set(id, 'BACKUP').set(snapshotOf(id), 'SNAPSHOT')
        return jobId
      },
    }
  },
}

export const writeSample = (owner: Caller, id: string) =>
  owner.send({
    method: 'PUT',
    url: `/api/servers/${id}/files/content?path=/sample`,
    payload: Buffer.from('sample'),
    headers: { 'content-type': 'application/octet-stream' },
  })

/** A container server with one file. */
async function withFile({ lodge, owner, admin, here }: World) {
  template ??= lodge.template()
  const { id: templateId } = await template
  const { serverId: id, jobId } = await admin.must('POST /api/servers', {
    body: { name: 'One', ownerId: owner.id, templateId, nodeId: here.nodeId },
  })
  await jobEnd(admin, jobId, 'done')
  await writeSample(owner, id)
  const names = await namesOf(lodge, id)
  return { id, names, params: { params: { id } } }
}
/**
 * A job on that file, whose results are on the node. Its cases share a server, since nodes have
 * capacity for few.
 */
export function ofFile(
  begin: (
    owner: Caller,
    params: { readonly params: { readonly id: string } },
    world: World,
  ) => Promise<{ readonly jobId: string }>,
): Example {
  let server: ReturnType<typeof withFile> | undefined
  return {
    alone: true,
    async prepare(world) {
      server ??= withFile(world)
      const { id, names, params } = await server
      return {
        id,
        names: new Map(names),
        begin: async () => (await begin(world.owner, params, world)).jobId,
      }
    },
  }
}

/** Deletes one of these things, which cannot be rolled back. */
export function deleted<T extends { readonly id: string; readonly names: Map<string, string> }>(
  make: (world: World) => Promise<T>,
  remove: (owner: Caller, thing: T) => Promise<{ readonly jobId: string }>,
): Example {
  return {
    final: ['Delete'],
    async prepare(world) {
      const thing = await make(world)
      return { ...thing, begin: async () => (await remove(world.owner, thing)).jobId }
    },
  }
}

/** Nodes whose agents can update themselves, and a newer agent that the panel serves. */
export const ofAgents = (begin: (world: World) => Promise<{ jobId: string }>): Example => ({
  alone: true,
  async prepare(world) {
    const { lodge, folder, here, there } = world
    await mkdir(`${folder}/program/agent`, { recursive: true })
    await writeFile(`${folder}/program/agent/version`, '9.9.9')
    await writeFile(
      `${folder}/program/agent/files-linux-x64`,
      `${'a'.repeat(64)}  agent/src/main.js\n`,
    )
    return {
      id: here.nodeId,
      names: new Map(),
      async begin() {
        await lodge.database.pool.query(
          `update nodes set agent_build = 'x64/' || repeat('b', 64),
             capabilities = capabilities || '{agent.update}' where id = any($1)`,
          [[here.nodeId, there.nodeId]],
        )
        return (await begin(world)).jobId
      },
    }
  },
})

/**
 * A server whose node is lost, with a backup on `there`; `here` takes no servers, so it is restored
 * there.
 */
export async function lost(world: World) {
  const { lodge, admin, owner, here, there } = world
  const { s3: _, ...settings } = await admin.must('GET /api/settings/backups')
  const keptThere = { ...settings, s3: null, place: 'other-node', storageNodeIds: [there.nodeId] }
  await admin.must('PUT /api/settings/backups', { body: keptThere as never })
  const node = await lodge.joinedNode()
  const agent = await startRealAgent(lodge, node)
  shareBackups([here, agent])
  await connected(lodge, node.id)
  const { id, names } = await container({ ...world, here: agent })
  const { jobId } = await backUp(world, id, names)
  await jobEnd(owner, jobId, 'done')
  await admin.must('PUT /api/settings/backups', { body: { ...settings, s3: null } as never })
  await agent[Symbol.asyncDispose]()
  const { name } = await until(async () => {
    const shown = await admin.must('GET /api/nodes/{id}', { params: { id: node.id } })
    return shown.state === 'offline' && shown
  })
  await admin.must('POST /api/nodes/{id}/cordon', { params: { id: here.nodeId } })
  return {
    id,
    name,
    names,
    /** @returns the job of the whole run */
    async run(): Promise<string> {
      const body = { nodeId: node.id, confirm: name }
      return (await admin.must('POST /api/failover/run', { body })).jobId
    },
    async settled(): Promise<void> {
      const { rows } = await lodge.database.pool.query<{ port: string }>(
        'select host_port::text as port from server_ports where server_id = $1',
        [id],
      )
      for (const { port } of rows) names.set(port, 'PORT')
      await admin.must('POST /api/nodes/{id}/uncordon', { params: { id: here.nodeId } })
    },
  }
}
