import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { AgentFixture, specText } from '../testing/agent.fixture.ts'

it('the metrics page shows the node and each server, without names', async () => {
  const fixture = await AgentFixture.open()
  try {
    const serverId = randomUUID()
    const desired = fixture.fleet.setDesired({
      serverId,
      run: 1,
      power: 2,
      containerSpec: specText(),
    })
    await fixture.start()
    await fixture.fleet.settled(desired)
    await fixture.fleet.until('a sample', () =>
      fixture.fleet.said.find(
        (said) =>
          said.$case === 'report' &&
          said.value.content?.$case === 'metrics' &&
          said.value.content.value.servers.length === 1,
      ),
    )
    const answer = await fetch(`http://127.0.0.1:${fixture.agent?.metricsPort}/metrics`)
    expect(answer.headers.get('content-type')).toContain('text/plain')
    const text = await answer.text()
    for (const line of [
      /^lodge_node_up 1$/m,
      /^lodge_node_memory_total_bytes \d+$/m,
      /^lodge_node_memory_allocated_bytes 67108864$/m,
      /^lodge_node_cpu_cores\{kind="allocated"\} 1$/m,
      /^lodge_servers\{node="[^"]+",state="running",kind="container"\} 1$/m,
    ]) {
      expect(text).toMatch(line)
    }
    expect(text).toContain(`lodge_server_memory_bytes{server_id="${serverId}"} 33554432`)
    expect((await fetch(`http://127.0.0.1:${fixture.agent?.metricsPort}/else`)).status).toBe(404)
  } finally {
    await fixture.close()
  }
})
