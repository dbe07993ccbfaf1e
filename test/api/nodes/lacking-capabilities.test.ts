import { CAPABILITIES, type Capability } from '@lodge/driver/capabilities.ts'
import { ABILITY_NAMES } from '@lodge/shared/node-abilities.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Caller, requestOf } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { DOCUMENT, type JoinedNode, type Lodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'
import {
  jobEnd,
  type MachineWorld,
  machineNode,
  machineWorld,
  makeVm,
  readyMedium,
} from '../../support/vm-world.ts'

let world: MachineWorld
let lodge: Lodge
let agent: RealAgent
let admin: Caller
let second: { readonly node: JoinedNode; readonly agent: RealAgent }
let templateId: string
/** A container and a machine with a snapshot, both on the node of `agent`. */
const ids = { node: '', container: '', backup: '', machine: '', snapshot: '', medium: '' }

beforeAll(async () => {
  world = await machineWorld()
  ;({ lodge, agent, admin } = world)
  second = await machineNode(lodge)
  const node = { nodeId: world.node.id, ownerId: world.owner.id }
  const source = { kind: 'registry', reference: 'example/installer:1' } as const
  const installer = { image: source, interpreter: ['/bin/sh'], script: 'true' }
  const runtime = { ...DOCUMENT.runtime, install: installer }
  templateId = (await lodge.template({ runtime })).id
  const { serverId, jobId } = await admin.must('POST /api/servers', {
    body: { name: 'One', templateId, ...node },
  })
  await jobEnd(admin, jobId, 'done')
  const backup = await admin.must('POST /api/servers/{id}/backups', {
    params: { id: serverId },
    body: {},
  })
  await jobEnd(admin, backup.jobId, 'done')
  const machine = await makeVm(lodge, world.owner.id, { nodeId: node.nodeId })
  const taken = await admin.must('POST /api/servers/{id}/vm/snapshots', {
    params: { id: machine.id },
    body: { name: 'before' },
  })
  await jobEnd(admin, taken.jobId, 'done')
  const medium = await readyMedium(lodge, 'iso')
  Object.assign(ids, { node: node.nodeId, container: serverId, machine: machine.id })
  Object.assign(ids, { backup: backup.backupId, snapshot: taken.snapshotId, medium })
})
afterAll(async () => {
  await second?.agent[Symbol.asyncDispose]()
  await world?.[Symbol.asyncDispose]()
})

type Request = ReturnType<typeof requestOf>
const at = (id: string) => ({ params: { id } })
const ofSnapshot = () => ({ params: { id: ids.machine, snapshot: ids.snapshot } })
const install = (body: object): Request =>
  requestOf('POST /api/servers/{id}/vm/installation', { ...at(ids.machine), body })
const takeSnapshot = (): Request =>
  requestOf('POST /api/servers/{id}/vm/snapshots', { ...at(ids.machine), body: { name: 'more' } })
const openMachine = (kind: 'vnc' | 'serial'): Request =>
  requestOf('POST /api/servers/{id}/vm/console-ticket', { ...at(ids.machine), body: { kind } })

/** The requests that are impossible on a node whose driver lacks a capability. */
const NEEDING: Readonly<Record<Capability, () => readonly Request[]>> = {
  console: () => [
    requestOf('POST /api/servers/{id}/console-ticket', { ...at(ids.container), body: {} }),
    requestOf('POST /api/servers/{id}/command', {
      ...at(ids.container),
      body: { command: 'list' },
    }),
    requestOf('GET /api/servers/{id}/logs', { ...at(ids.container), query: {} }),
    openMachine('serial'),
  ],
  installer: () => [
    requestOf('POST /api/servers/{id}/actions', {
      ...at(ids.container),
      body: { action: 'reinstall', confirm: true },
    }),
    requestOf('POST /api/servers', {
      body: { name: 'Two', ownerId: world.owner.id, templateId, nodeId: ids.node },
    }),
    install({ reinstall: true, confirm: true }),
  ],
  images: () => [requestOf('POST /api/nodes/{id}/images/free', at(ids.node))],
  networks: () => [
    requestOf('PATCH /api/nodes/{id}', {
      ...at(ids.node),
      body: { openNetworks: [{ network: '10.0.5.0/24' }] },
    }),
  ],
  virtualization: () => [
    requestOf('PATCH /api/nodes/{id}/virtualization', {
      ...at(ids.node),
      body: { enabled: true, emulationAllowed: true },
    }),
  ],
  snapshots: () => [
    takeSnapshot(),
    requestOf('POST /api/servers/{id}/vm/snapshots/{snapshot}/restore', {
      ...ofSnapshot(),
      body: { confirm: true },
    }),
    requestOf('DELETE /api/servers/{id}/vm/snapshots/{snapshot}', ofSnapshot()),
  ],
  screen: () => [openMachine('vnc')],
  files: () => [
    requestOf('GET /api/servers/{id}/files', at(ids.container)),
    requestOf('POST /api/servers/{id}/files/archive', {
      ...at(ids.container),
      body: { paths: ['/a'], to: '/a.tar.gz' },
    }),
  ],
  media: () => [install({ reinstall: false, mediumId: ids.medium })],
  transfer: () => [
    requestOf('POST /api/servers/{id}/vm/migrate', {
      ...at(ids.machine),
      body: { nodeId: second.node.id, networkId: world.networkId },
    }),
  ],
  diskUsage: () => [takeSnapshot()],
  relocation: () => [
    requestOf('POST /api/servers/{id}/migrate', {
      ...at(ids.container),
      body: { nodeId: ids.node, storageId: null },
    }),
  ],
  backups: () => [
    requestOf('POST /api/servers/{id}/backups', { ...at(ids.container), body: {} }),
    requestOf('POST /api/servers/{id}/actions', {
      ...at(ids.container),
      body: { action: 'restore', backupId: ids.backup, confirm: true },
    }),
  ],
}

/** Connects the agent again with a driver that lacks these. */
async function lack(...names: readonly Capability[]): Promise<void> {
  agent.lacking = names
  await agent.close()
  await agent.connect()
  await until(async () => {
    const { state, capabilities } = await admin.must('GET /api/nodes/{id}', at(ids.node))
    const missing = CAPABILITIES.filter((name) => !capabilities.includes(`machine.${name}`))
    return state === 'online' && missing.join() === names.join()
  })
}

test('every capability of a driver has a name for people', () => {
  expect([...ABILITY_NAMES].toSorted()).toEqual([...CAPABILITIES].toSorted())
})

test.each(CAPABILITIES)('what needs %s is refused on a node without it', async (name) => {
  await lack(name)
  for (const request of NEEDING[name]()) {
    const answer = await admin.send(request)
    const { code, detail } = answer.json()
    expect([answer.statusCode, code], `${request.method} ${request.url}`).toEqual([
      409,
      'unsupported_on_node',
    ])
    expect(detail).toEqual(expect.any(String))
  }
  for (const id of [ids.container, ids.machine]) {
    const { unsupported } = await admin.must('GET /api/servers/{id}/rights', at(id))
    expect(unsupported, 'the panel learns why').toMatchObject({ [name]: expect.any(String) })
  }
})

test('nothing is refused as unsupported on a node whose driver has everything', async () => {
  await lack()
  const { unsupported } = await admin.must('GET /api/servers/{id}/rights', at(ids.machine))
  expect(unsupported).toEqual({})
  for (const request of CAPABILITIES.flatMap((name) => NEEDING[name]())) {
    const answer = await admin.send(request)
    const body = answer.body ? answer.json() : {}
    expect(body.code, `${request.method} ${request.url}`).not.toBe('unsupported_on_node')
  }
})
