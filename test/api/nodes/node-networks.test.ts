import { NetworkOpenings, readOpenings } from '@lodge/shared/network-opening.ts'
import { expect, test } from 'vitest'
import { startRealAgent } from '../../support/real-agent.ts'
import { startLodge } from '../../support/stack.ts'
import { until } from '../../support/until.ts'

const TEXT = '10.0.5.0/24\n10.0.5.7 tcp 5432\nfd00:5::/64 udp 27000-27100'
const OPENINGS = [
  { network: '10.0.5.0/24', protocol: null, ports: null },
  { network: '10.0.5.7/32', protocol: 'tcp', ports: { from: 5432, to: 5432 } },
  { network: 'fd00:5::/64', protocol: 'udp', ports: { from: 27_000, to: 27_100 } },
]

test('networks opened on a node reach its drivers immediately, and again after a restart of the agent', async () => {
  await using lodge = await startLodge()
  const node = await lodge.node()
  const admin = await lodge.admin()
  const params = { id: node.id }
  await using agent = await startRealAgent(lodge, node)
  expect(agent.driver.opened()).toEqual([])
  const openNetworks = NetworkOpenings.parse(readOpenings(TEXT))
  const changed = await admin.must('PATCH /api/nodes/{id}', { params, body: { openNetworks } })
  expect(changed.openNetworks).toEqual(OPENINGS)
  await until(() => agent.driver.opened()?.length === 3)
  expect(agent.driver.opened()).toEqual(OPENINGS)
  // A change made meanwhile arrives with the next connection.
  await agent.close()
  await admin.must('PATCH /api/nodes/{id}', {
    params,
    body: { openNetworks: openNetworks.slice(1, 2) },
  })
  await agent.connect()
  await until(() => agent.driver.opened()?.length === 1)
  expect(agent.driver.opened()).toEqual([OPENINGS[1]])
})

test('an agent that starts without the control plane opens the last known networks', async () => {
  await using lodge = await startLodge()
  const node = await lodge.node()
  const admin = await lodge.admin()
  await using agent = await startRealAgent(lodge, node)
  const openNetworks = NetworkOpenings.parse(readOpenings(TEXT))
  await admin.must('PATCH /api/nodes/{id}', { params: { id: node.id }, body: { openNetworks } })
  await until(() => agent.driver.opened()?.length === 3)
  await agent.close()
  await agent.driver.networks.open([])
  // The control plane refuses it.
  await lodge.database.pool.query('update nodes set credential_hash = null')
  await agent.connect()
  expect(agent.driver.opened()).toEqual(OPENINGS)
})

test('implausible networks are refused, with the plausible one', async () => {
  await using lodge = await startLodge()
  const { id } = await lodge.node()
  const admin = await lodge.admin()
  const patch = async (opening: object) => {
    const body = { openNetworks: [opening] } as never
    const { status, body: said } = await admin.call('PATCH /api/nodes/{id}', {
      params: { id },
      body,
    })
    return [status, JSON.stringify(said)] as const
  }
  for (const [opening, detail] of [
    [{ network: '10.0.5.7/24' }, 'write 10.0.5.0/24'],
    [{ network: '0.0.0.0/0' }, 'name the ports'],
    [{ network: 'example.org' }, 'such as 10.0.5.0/24'],
    [{ network: '10.0.0.0/33' }, 'such as 10.0.5.0/24'],
    [{ network: '10.0.0.1', ports: { from: 1, to: 2 } }, 'tcp or udp'],
    [{ network: '10.0.0.1', protocol: 'tcp', ports: { from: 2, to: 1 } }, 'ends before'],
    [{ network: '10.0.0.1; drop' }, 'such as 10.0.5.0/24'],
  ] as const) {
    const [status, said] = await patch(opening)
    expect([opening, status]).toEqual([opening, 400])
    expect(said).toContain(detail)
  }
  const stranger = await lodge.limitedAdmin(['nodes.view'])
  const { status } = await stranger.call('PATCH /api/nodes/{id}', {
    params: { id },
    body: { openNetworks: [] },
  })
  expect(status).toBe(403)
})
