import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import https from 'node:https'
import type { VmNetwork } from '@lodge/shared/vms.ts'
import { testAuthority } from '../../agent/src/testing/authority.fixture.ts'
import type { Caller } from './caller.ts'
import { type RealAgent, startRealAgent } from './real-agent.ts'
import { type JoinedNode, type Lodge, startLodge } from './stack.ts'
import { until } from './until.ts'

/** Ids of the built-in hardware. */
export const LINUX = '01939a3e-6b5c-7000-8000-4c6f64676501'
export const WINDOWS = '01939a3e-6b5c-7000-8000-4c6f64676502'

/** A file server over TLS, with its own certificate authority. */
export interface FileServer extends AsyncDisposable {
  readonly authority: string
  readonly host: string
  /** Its files by path; a function responds itself. */
  readonly files: Map<
    string,
    Buffer | https.ServerOptions['ca'] | ((response: AnyResponse) => void)
  >
  url(path: string): string
}
type AnyResponse = Parameters<NonNullable<Parameters<typeof https.createServer>[1]>>[1]

/** @param at where it listens: an address of this machine, or a name that resolves to it */
export async function serveFiles(at = 'localhost'): Promise<FileServer> {
  const { certificate, leaf } = await testAuthority(at)
  const files: FileServer['files'] = new Map()
  const server = https.createServer(leaf, (request, response) => {
    const file = files.get(request.url ?? '')
    if (typeof file === 'function') return file(response)
    if (!Buffer.isBuffer(file)) return void response.writeHead(404).end()
    response.writeHead(200, { 'content-length': file.length }).end(file)
  })
  server.listen(0, at === 'localhost' ? '127.0.0.1' : at)
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const host = `${at}:${address.port}`
  return {
    authority: certificate,
    host,
    files,
    url: (path) => `https://${host}${path}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** The beginning of an ISO 9660 image, and content that makes it unique. */
export function isoImage(content: string): Buffer {
  const image = Buffer.alloc(40_960)
  image.write('CD001', 32_769, 'latin1')
  image.write(content, 36_864)
  return image
}

/** The header of a qcow2 image of a given size. */
export function qcow2Image(
  virtualBytes: bigint,
  change: (header: Buffer) => void = () => {},
): Buffer {
  const image = Buffer.alloc(65_536)
  image.writeUInt32BE(0x514649fb, 0)
  image.writeUInt32BE(3, 4)
  image.writeBigUInt64BE(virtualBytes, 24)
  change(image)
  return image
}

export const sha256 = (content: Buffer): string =>
  createHash('sha256').update(content).digest('hex')

/** A checked medium, without a server to download it from. */
export async function readyMedium(
  lodge: Lodge,
  kind: 'iso' | 'qcow2',
  name = `${kind} ${randomUUID()}`,
): Promise<string> {
  const { rows } = await lodge.database.pool.query<{ id: string }>(
    `insert into vm_media (id, name, kind, url, sha256, state, size_bytes, virtual_size_mb)
     values (gen_random_uuid(), $1, $2, 'https://example.com/medium', $3, 'ready', 4096, $4) returning id`,
    [name, kind, sha256(Buffer.from(name)), kind === 'iso' ? null : 2048],
  )
  if (!rows[0]) throw new Error('nothing was inserted')
  return rows[0].id
}

/** A node whose agent runs machines that are entries of a map, enabled for machines. */
export async function machineNode(
  lodge: Lodge,
  given: Parameters<Lodge['joinedNode']>[0] = {},
  knobs: Parameters<typeof startRealAgent>[2] = {},
  environment: NodeJS.ProcessEnv = {},
): Promise<{ node: JoinedNode; agent: RealAgent }> {
  const admin = await lodge.admin()
  const node = await lodge.joinedNode(given)
  const agent = await startRealAgent(lodge, node, knobs, environment)
  await connected(lodge, node.id)
  await admin.must('PATCH /api/nodes/{id}/virtualization', {
    params: { id: node.id },
    body: { enabled: true, emulationAllowed: true },
  })
  return { node, agent }
}

/** A Lodge with one node that runs machines and one network for them. */
export interface MachineWorld extends AsyncDisposable {
  readonly lodge: Lodge
  readonly admin: Caller
  readonly owner: Caller
  readonly agent: RealAgent
  readonly node: JoinedNode
  readonly networkId: string
}

export async function machineWorld(): Promise<MachineWorld> {
  const lodge = await startLodge()
  const { node, agent } = await machineNode(lodge)
  return {
    lodge,
    admin: await lodge.admin(),
    owner: await lodge.customer(),
    agent,
    node,
    networkId: (await natNetwork(lodge)).id,
    async [Symbol.asyncDispose]() {
      await agent[Symbol.asyncDispose]()
      await lodge[Symbol.asyncDispose]()
    },
  }
}

/** Waits until the agent of a node is connected. */
export async function connected(lodge: Lodge, id: string): Promise<void> {
  const admin = await lodge.admin()
  await until(async () => {
    const { state } = await admin.must('GET /api/nodes/{id}', { params: { id } })
    return state === 'online'
  })
}

/** The libvirt network of the tests, for the guests of one node. */
export const GUEST_NETWORK = {
  name: 'Guests',
  mode: 'nat',
  libvirtName: 'lodge0',
  subnet: '10.77.0.0/24',
  poolFrom: '10.77.0.10',
  poolTo: '10.77.0.99',
} as const

let networks = 0
export async function natNetwork(
  lodge: Lodge,
  given: { nodeIds?: string[]; size?: number } = {},
): Promise<VmNetwork> {
  const admin = await lodge.admin()
  const third = ++networks
  return admin.must('POST /api/virtualization/networks', {
    body: {
      name: `net ${third}`,
      mode: 'nat',
      libvirtName: `lodge${third}`,
      subnet: `10.77.${third}.0/24`,
      poolFrom: `10.77.${third}.10`,
      poolTo: `10.77.${third}.${10 + (given.size ?? 100) - 1}`,
      nodeIds: given.nodeIds ?? [],
    },
  })
}

export interface MadeVm {
  readonly id: string
  readonly jobId: string
}

/** A small machine with an empty disk. */
export async function makeVm(
  lodge: Lodge,
  ownerId: string,
  given: Partial<{
    nodeId: string
    networkId: string
    start: boolean
    profileId: string
    source: { kind: 'empty' } | { kind: 'iso'; mediumId: string }
  }> = {},
): Promise<MadeVm> {
  const admin = await lodge.admin()
  const { nodeId, networkId, start = false, profileId = LINUX } = given
  const made = await admin.must('POST /api/servers', {
    body: {
      name: 'Machine',
      ownerId,
      memoryMb: 512,
      diskMb: 1024,
      start,
      ...(nodeId && { nodeId }),
      templateId: profileId,
      vm: {
        vcpus: 1,
        source: given.source ?? { kind: 'empty' },
        ...(networkId && { networkId }),
      },
    },
  })
  await jobEnd(admin, made.jobId, 'done')
  return { id: made.serverId, jobId: made.jobId }
}

/** Waits for a job to end in this state. */
export async function jobEnd(caller: Caller, id: string, state: string) {
  const job = await until(async () => {
    const found = await caller.must('GET /api/jobs/{id}', { params: { id } })
    return found.endedAt === null ? undefined : found
  })
  if (job.state !== state)
    throw new Error(`the job ended as ${job.state}: ${JSON.stringify(job.failure)}`)
  return job
}
