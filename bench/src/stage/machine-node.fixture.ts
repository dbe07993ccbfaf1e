import { createHash } from 'node:crypto'
import { chmod, copyFile, mkdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { machinePaths } from '../../../drivers/libvirt/src/data/layout.ts'
import { type LibvirtPort, openPort } from '../../../drivers/libvirt/src/port/port.ts'
import { buildGuest } from '../../../drivers/libvirt/src/testing/guest/build.ts'
import {
  libvirtMissing,
  startTestNode,
  type TestNode,
} from '../../../drivers/libvirt/src/testing/node.ts'
import { LOOP_LAG_MODULE } from '../measure/loop-lag.ts'
import type { Bench } from '../row.ts'
import { startAgent } from './agent.fixture.ts'
import type { ApiCaller } from './api.ts'
import type { Database } from './database.ts'
import type { Program } from './program.ts'
import type { ControlPlaneSide } from './sides.ts'

/** A node of the database with its own libvirt and the real agent on it. */
export interface MachineNode {
  readonly id: string
  readonly libvirt: TestNode
  readonly agent: Program
  /** Direct access to its libvirt. */
  readonly port: LibvirtPort
  /** Where the agent stores one machine. */
  paths(serverId: string): ReturnType<typeof machinePaths>
  /** Where the agent looks for a medium before downloading it. */
  mediumFile(sha256: string): string
}

/**
 * @param given.node index of the database's node
 * @param given.folder short, because socket paths are limited; removed by the caller
 */
export async function startMachineNode(
  bench: Bench,
  database: Database,
  side: ControlPlaneSide,
  api: ApiCaller,
  given: { node: number; folder: string },
): Promise<MachineNode> {
  const missing = await libvirtMissing()
  if (missing !== null) throw new Error(missing)
  const libvirt = bench.ending.add(await startTestNode(path.join(given.folder, 'node')), (one) =>
    one.stop(),
  )
  const data = path.join(given.folder, 'data')
  await mkdir(data, { mode: 0o711 })
  const agent = await startAgent(
    bench,
    database,
    side,
    data,
    {
      LODGE_AGENT_DRIVER: 'fake',
      LODGE_AGENT_MACHINES: 'libvirt',
      LODGE_AGENT_LIBVIRT_URI: libvirt.uri,
      LODGE_AGENT_LIBVIRT_TPM_FOLDER: libvirt.tpmFolder,
      LODGE_AGENT_LIBVIRT_HOOKS_FOLDER: path.join(libvirt.folder, 'etc/hooks'),
      LODGE_AGENT_LIBVIRT_NETWORK_NAMESPACE: libvirt.networkNamespace,
      LODGE_AGENT_PERMIT_FOLDER: path.join(given.folder, 'permits'),
    },
    { node: given.node, preload: [LOOP_LAG_MODULE] },
  )
  // libvirt loads hooks only at its start.
  await libvirt.killLibvirtd()
  await libvirt.startLibvirtd()
  const port = bench.ending.add(openPort({ uri: libvirt.uri, connections: 2 }), (one) =>
    one.close(),
  )
  const { rows } = await database.pool.query<{ id: string }>('select id from nodes order by id')
  const id = rows[given.node]?.id ?? ''
  await api.patch(`/api/nodes/${id}/virtualization`, { enabled: true, emulationAllowed: true })
  return {
    id,
    libvirt,
    agent,
    port,
    paths: (serverId) => machinePaths(path.join(data, 'machines'), serverId),
    mediumFile: (sha256) => path.join(data, 'media', sha256),
  }
}

/** The catalogue for the rows' machines. */
export interface Catalogue {
  readonly networkId: string
  readonly mediumId: string
  /** The installed guest as a raw image. */
  readonly image: string
  /** Ids of profiles: without firmware variables, and with them and a TPM. */
  readonly plain: string
  readonly whole: string
}

const PLAIN = {
  machine: 'q35',
  firmware: { kind: 'bios' },
  tpm: false,
  cpuModel: 'qemu64',
  diskBus: 'virtio',
  nicModel: 'virtio',
  video: 'vga',
  guestAgent: true,
} as const
const WHOLE = {
  ...PLAIN,
  tpm: true,
  firmware: {
    kind: 'uefi',
    secureBoot: false,
    loader: { path: '/usr/share/OVMF/OVMF_CODE_4M.fd' },
    vars: { path: '/usr/share/OVMF/OVMF_VARS_4M.fd' },
  },
} as const

/** Fills the catalogue, and puts the medium into the nodes' caches, as a first installation would. */
export async function fillCatalogue(
  database: Database,
  api: ApiCaller,
  nodes: readonly MachineNode[],
): Promise<Catalogue> {
  const { disk } = await buildGuest()
  const sha256 = createHash('sha256')
    .update(await readFile(disk))
    .digest('hex')
  const { size } = await stat(disk)
  for (const node of nodes) {
    const file = node.mediumFile(sha256)
    await mkdir(path.dirname(file), { recursive: true, mode: 0o755 })
    await copyFile(disk, file)
    await chmod(file, 0o644)
  }
  const { rows } = await database.pool.query<{ id: string }>(
    `insert into vm_media (id, name, kind, url, sha256, state, size_bytes, virtual_size_mb)
     values (gen_random_uuid(), 'Guest', 'raw', 'https://media.test/guest', $1, 'ready', $2, $3)
     returning id`,
    [sha256, size, Math.ceil(size / 1048576)],
  )
  const network = await api.post('/api/virtualization/networks', {
    name: 'Guests',
    mode: 'nat',
    libvirtName: 'lodge0',
    subnet: '10.77.0.0/24',
    poolFrom: '10.77.0.10',
    poolTo: '10.77.0.250',
  })
  const profile = async (name: string, hardware: object) =>
    String((await api.post('/api/virtualization/profiles', { name, hardware })).id)
  return {
    networkId: String(network.id),
    mediumId: rows[0]?.id ?? '',
    image: disk,
    plain: await profile('Plain', PLAIN),
    whole: await profile('Whole', WHOLE),
  }
}
