import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Bench } from '../row.ts'
import { type ApiCaller, apiCaller } from './api.ts'
import type { Database } from './database.ts'
import { insertFleet } from './fleet-rows.ts'
import { type LiveView, openLiveView } from './live-view.ts'
import {
  type Catalogue,
  fillCatalogue,
  type MachineNode,
  startMachineNode,
} from './machine-node.fixture.ts'
import { type ControlPlaneSide, ourSide } from './sides.ts'

/** A control plane with nodes that run machines, and an open panel. */
export interface MachineStage {
  readonly database: Database
  readonly side: ControlPlaneSide
  readonly api: ApiCaller
  readonly view: LiveView
  readonly nodes: readonly MachineNode[]
  readonly catalogue: Catalogue
  readonly ownerId: string
  /** QEMU's user can pass through. Removed with the row. */
  readonly folder: string
}

/** @param dataParent where the nodes store their machines; by default below the temporary folder */
export async function machineStage(
  bench: Bench,
  count: number,
  dataParent?: string,
): Promise<MachineStage> {
  const folder = await mkdtemp(path.join(dataParent ?? os.tmpdir(), 'lodge-bvm-'))
  bench.ending.add(folder, (one) => rm(one, { recursive: true, force: true, maxRetries: 10 }))
  await chmod(folder, 0o711)
  const database = bench.ending.add(await bench.database.fresh(), (one) => one.drop())
  const rows = await insertFleet(database.pool, { nodes: count })
  const side = await ourSide(bench, database)
  const { origin } = side.plane
  const api = apiCaller(origin, rows.adminCookie)
  const nodes: MachineNode[] = []
  for (let node = 0; node < count; node++) {
    const own = path.join(folder, String(node))
    await mkdir(own, { mode: 0o711 })
    nodes.push(await startMachineNode(bench, database, side, api, { node, folder: own }))
  }
  const catalogue = await fillCatalogue(database, api, nodes)
  const view = bench.ending.add(await openLiveView(origin, rows.adminCookie), (one) => one.close())
  bench.say('libvirt and agents are up')
  const ownerId = rows.customer.id
  return { database, side, api, view, nodes, catalogue, ownerId, folder }
}

/** A key whose private half is unknown. */
const SSH_KEY = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJlIGtpbmQgdG8geW91ciBuZWlnaGJvdXJz bench'

interface Wanted {
  readonly name: string
  readonly diskMb: number
  /** The first by default. */
  readonly node?: MachineNode | undefined
  /** True by default; its guest is the catalogue's image. */
  readonly start?: boolean
  /** With UEFI variables and a TPM. */
  readonly whole?: boolean
  /** An empty disk instead of the image. */
  readonly empty?: boolean
}

/** Requests a machine; returns its id as soon as that is accepted. */
export async function createMachine(stage: MachineStage, wanted: Wanted): Promise<string> {
  const { api, catalogue, nodes, ownerId } = stage
  const { start = true, whole = false, empty = false } = wanted
  const seed = { sshKeys: [SSH_KEY] }
  const source = empty ? { kind: 'empty' } : { kind: 'image', mediumId: catalogue.mediumId, seed }
  const answer = await api.post('/api/servers', {
    name: wanted.name,
    ownerId,
    nodeId: (wanted.node ?? nodes[0])?.id,
    memoryMb: whole ? 384 : 160,
    cpuPercent: 100,
    diskMb: wanted.diskMb,
    start,
    templateId: whole ? catalogue.whole : catalogue.plain,
    vm: { networkId: catalogue.networkId, vcpus: 1, source },
  })
  if (!start) await api.done(answer)
  return String(answer.serverId)
}

/** Performs an action, until the open panel shows its result. */
export async function act(
  { api, view }: MachineStage,
  serverId: string,
  action: 'start' | 'stop' | 'kill',
  status: 'running' | 'stopped',
): Promise<void> {
  await api.post(`/api/servers/${serverId}/actions`, { action })
  await view.shows(serverId, status)
}

/** Number of `virDomainEventType`: the guest was resumed, or runs for the first time. */
const RESUMED = 4

/** Resolves when libvirt next starts this guest, or any. */
export function nextRun({ port }: MachineNode, uuid?: string): Promise<void> {
  return new Promise((resolve) => {
    const stop = port.listen((event) => {
      if (event.kind !== 'lifecycle' || event.event !== RESUMED) return
      if (uuid !== undefined && event.uuid !== uuid) return
      stop()
      resolve()
    })
  })
}
