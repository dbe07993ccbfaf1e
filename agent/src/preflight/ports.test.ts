import net from 'node:net'
import { expect, it } from 'vitest'
import { AgentFixture } from '../testing/agent.fixture.ts'
import { checkPorts } from './ports.ts'

it('probes ports of the ranges that the control plane assigns to the node', async () => {
  const fixture = await AgentFixture.open()
  fixture.fleet.portRanges = [
    { from: 28_110, to: 28_114 },
    { from: 28_120, to: 28_120 },
  ]
  await fixture.start()
  const summary = await fixture.fleet.until('the ports of the node are told', () =>
    fixture.fleet.said
      .flatMap((said) => (said.$case === 'heartbeat' ? said.value.preflight : []))
      .find((check) => check.id === 'ports' && check.summary.includes('28110')),
  )
  expect(summary.summary).toBe('Ports between 28110 and 28114, 28120 and 28120 can be bound')
  await fixture.close()
})

it('reports when every probed port of all ranges is in use', async () => {
  const taken = net.createServer().listen(0, '0.0.0.0')
  await new Promise((resolve) => taken.once('listening', resolve))
  const address = taken.address()
  const port = typeof address === 'object' && address ? address.port : 0
  expect(await checkPorts([{ from: port, to: port }])).toMatchObject({ state: 'warning' })
  taken.close()
})
