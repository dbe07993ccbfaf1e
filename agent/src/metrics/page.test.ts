import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { AgentRig, specText } from '../testing/agent.rig.ts'

it('the metrics page shows the node and each server, without names', async () => {
  const rig = await AgentRig.open()
  try {
    const serverId = randomUUID()
    const wish = rig.fleet.wish({ serverId, run: 1, power: 2, containerSpec: specText() })
    await rig.start()
    await rig.fleet.settled(wish)
    await rig.fleet.until('a sample', () =>
      rig.fleet.said.find(
        (said) =>
          said.$case === 'report' &&
          said.value.content?.$case === 'metrics' &&
          said.value.content.value.servers.length === 1,
      ),
    )
    const answer = await fetch(`http://127.0.0.1:${rig.agent?.metricsPort}/metrics`)
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
    expect((await fetch(`http://127.0.0.1:${rig.agent?.metricsPort}/else`)).status).toBe(404)
  } finally {
    await rig.close()
  }
})
