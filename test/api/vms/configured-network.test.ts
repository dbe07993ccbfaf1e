import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../support/caller.ts'
import type { RealAgent } from '../../support/real-agent.ts'
import { type Lodge, startLodge } from '../../support/stack.ts'
import { LINUX, machineNode, makeVm } from '../../support/vm-world.ts'

const NETWORKS = [
  { name: 'lan', active: true, bridge: 'br0', cidr: '' },
  { name: 'routed', active: true, bridge: 'virbr1', cidr: '10.91.1.1/24' },
  { name: 'other', active: true, bridge: 'virbr2', cidr: '192.168.122.1/24' },
  { name: 'off', active: false, bridge: 'virbr3', cidr: '' },
  { name: 'direct', active: true, bridge: '', cidr: '' },
]

let lodge: Lodge
let admin: Caller
let owner: Caller
let agent: RealAgent
const ids = new Map<string, string>()
beforeAll(async () => {
  lodge = await startLodge()
  admin = await lodge.admin()
  owner = await lodge.customer()
  const plain = await machineNode(lodge)
  agent = plain.agent
  Object.assign(agent.driver.knobs, {
    virtualization: { ...agent.driver.knobs.virtualization, networks: NETWORKS },
  })
  // The agent checks everything again on request.
  await admin.must('PATCH /api/nodes/{id}/virtualization', {
    params: { id: plain.node.id },
    body: { enabled: true, emulationAllowed: true },
  })
  for (const [third, name] of [...NETWORKS.map((one) => one.name), 'nowhere'].entries()) {
    const { id } = await admin.must('POST /api/virtualization/networks', {
      body: {
        name,
        mode: 'configured',
        libvirtName: name,
        subnet: `10.91.${third}.0/24`,
        gateway: `10.91.${third}.1`,
        poolFrom: `10.91.${third}.10`,
        poolTo: `10.91.${third}.11`,
      },
    })
    ids.set(name, id)
  }
})
afterAll(async () => {
  await agent?.[Symbol.asyncDispose]()
  await lodge?.[Symbol.asyncDispose]()
})

const refusal = async (name: string): Promise<string> => {
  const { status, body } = await admin.call('POST /api/servers', {
    body: {
      name,
      ownerId: owner.id,
      memoryMb: 512,
      diskMb: 1024,
      templateId: LINUX,
      vm: { vcpus: 1, source: { kind: 'empty' }, networkId: ids.get(name) },
    },
  })
  return `${status} ${JSON.stringify(body)}`
}

test('a network of the host gives machines an address of its pool, until it is exhausted', async () => {
  for (const name of ['lan', 'routed'])
    for (const last of [10, 11]) {
      const { id } = await makeVm(lodge, owner.id, { networkId: ids.get(name) ?? '' })
      const { network } = await owner.must('GET /api/servers/{id}/vm', { params: { id } })
      expect(network).toMatchObject({
        mode: 'configured',
        address: expect.stringMatching(new RegExp(`^10\\.91\\.\\d\\.${last}$`)),
      })
    }
  expect(await refusal('lan')).toMatch(/^409 .*no free address left in lan/)
})

test('a network that is inactive, has other addresses or cannot be filtered is refused with the reason', async () => {
  expect(await refusal('off')).toMatch(/^409 .*no_capacity.*the network off of .* is switched off/)
  expect(await refusal('other')).toMatch(/has other addresses: 192\.168\.122\.1\/24/)
  expect(await refusal('direct')).toMatch(/has no bridge, so nothing could keep guests from false/)
  expect(await refusal('nowhere')).toMatch(/libvirt on .* has no network nowhere/)
})
