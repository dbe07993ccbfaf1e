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
      crashPolicy: { mode: 'on-failure', maxRestarts: 2, windowMinutes: 10, backoffSeconds: [0] },
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
    const address = `http://127.0.0.1:${fixture.agent?.metricsPort}`
    const answer = await fetch(`${address}/metrics`)
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
    expect((await fetch(`${address}/else`)).status).toBe(404)

    const shown = async () => await (await fetch(`${address}/metrics`)).text()
    fixture.driver.crash(serverId)
    await fixture.fleet.event(serverId, 'restarted')
    const restarts = `lodge_server_restarts_total{server_id="${serverId}",reason="crash"} 1`
    expect(await shown()).toContain(restarts)
    // One that is deleted while it is stopped has not been measured lately.
    await fixture.fleet.settled(fixture.fleet.setDesired({ serverId, power: 1 }))
    await expect.poll(shown).not.toContain(`lodge_server_memory_bytes{server_id="${serverId}"`)
    expect(await shown()).toContain(serverId)
    await fixture.fleet.settled(fixture.fleet.setDesired({ serverId, removed: true }))
    await expect.poll(shown).not.toContain(serverId)
  } finally {
    await fixture.close()
  }
})
