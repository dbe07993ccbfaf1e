import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'vitest'
import { AgentFixture } from '../testing/agent.fixture.ts'

let fixture: AgentFixture
beforeEach(async () => {
  fixture = await AgentFixture.open()
})
afterEach(() => fixture.close())

test('samples include the players, and the query settings survive a restart of the agent', async () => {
  await fixture.running()
  const { serverId, fleet } = fixture
  const toldPlayers = (online: number) =>
    fleet.until(`${online} players`, () =>
      fleet.said.some(
        (said) =>
          said.$case === 'report' &&
          said.value.content?.$case === 'metrics' &&
          said.value.content.value.servers.some(({ players }) => players?.online === online),
      ),
    )
  const folder = fixture.driver.dataFolder(serverId)
  await mkdir(folder, { recursive: true })
  const keep = (online: number) =>
    writeFile(join(folder, 'players.json'), JSON.stringify({ online, most: 4 }))
  await keep(2)
  fleet.setDesired({ serverId, playerQuery: '{"kind":"file","path":"players.json"}' })
  await toldPlayers(2)

  await fixture.stop()
  await keep(3)
  await fixture.start()
  await toldPlayers(3)
})
