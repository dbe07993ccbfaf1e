import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import { builtInTemplates } from '@lodge/shared/templates/builtin/all.ts'
import { PLAYER_LIST } from '@lodge/shared/templates/builtin/luanti-console.ts'
import { containerSpecOf } from '@lodge/shared/templates/resolve.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { askPlayers } from '../../../agent/src/players/ask.ts'
import { readPlayerList } from '../../../agent/src/players/read-list.ts'
import { watchConsole } from '../../../drivers/contract/src/suite/watch.ts'
import { dockerdMissing } from '../../../drivers/docker/src/testing/dockerd.ts'
import { type DockerFixture, dockerFixture } from '../../../drivers/docker/src/testing/fixture.ts'
import { until } from '../../support/until.ts'

const missing = await dockerdMissing()
const PORT = 29_931
const PASSWORD = "it's $ecret"

describe.skipIf(missing !== null)('a built-in template on a real engine', () => {
  let fixture: DockerFixture
  const life = new AbortController()
  const { signal } = life

  beforeAll(async () => {
    fixture = await dockerFixture()
  })
  afterAll(async () => {
    life.abort()
    await fixture.close()
  })

  function specOf(name: string, variables: Record<string, string>): ContainerSpec {
    const found = builtInTemplates().find(({ document }) => document.name === name)
    if (!found) throw new Error(`there is no template ${name}`)
    const { document } = found
    const container = document.runtime.port.containerPort ?? PORT
    const protocol = document.runtime.port.protocol
    return containerSpecOf(document, {
      id: '3f0c3f0c-0000-4000-8000-000000000000',
      name: 'one',
      variables,
      memoryMb: 512,
      cpuPercent: 100,
      diskMb: 2048,
      ports: [{ offset: 0, hostPort: PORT, container, protocol }],
      address: '127.0.0.1',
    })
  }

  it('Luanti responds on its console, and reports its players', async () => {
    const server = { serverId: 'luanti', generation: 1, run: 1 }
    const spec = specOf('Luanti (Minetest)', { JOIN_PASSWORD: 'let me in' })
    await fixture.driver.apply(server, spec, () => {}, signal)
    const config = path.join(fixture.driver.dataFolder('luanti'), 'minetest.conf')
    await writeFile(config, 'name = admin\n')
    const console = watchConsole(fixture.driver, 'luanti', signal)
    await fixture.driver.start('luanti', signal)
    await console.until('listening on ')
    const say = (line: string) => fixture.driver.console.write('luanti', Buffer.from(`${line}\n`))
    await say('players')
    await console.until('Nobody is here.')
    await say('/time 6000')
    await console.until('Time of day changed.')
    const folder = fixture.driver.dataFolder('luanti')
    expect(await until(() => readPlayerList(folder, PLAYER_LIST, Date.now()))).toEqual({
      online: 0,
      most: 15,
      names: [],
    })
    await say('nonsense')
    await console.until('There is no command nonsense.')
    await say('shutdown')
    await console.until('Shutting down')
    await fixture.driver.remove('luanti')
  })

  it('OpenTTD reports its players through its own protocol', async () => {
    const server = { serverId: 'openttd', generation: 1, run: 1 }
    const spec = specOf('OpenTTD', {})
    await fixture.driver.apply(server, spec, () => {}, signal)
    await fixture.driver.start('openttd', signal)
    const reported = await until(() => askPlayers('openttd', PORT), 60_000)
    expect(reported).toEqual({ online: 0, most: 25, names: [] })
    await fixture.driver.remove('openttd')
  })

  it('PostgreSQL of Debian packages admits its user to its database and nobody else', async () => {
    const variables = { POSTGRES_USER: 'app', POSTGRES_DB: 'shop', POSTGRES_PASSWORD: PASSWORD }
    const server = { serverId: 'postgresql', generation: 1, run: 1 }
    await fixture.driver.apply(server, specOf('PostgreSQL', variables), () => {}, signal)
    const connect = async (password: string) => {
      const given = { host: '127.0.0.1', port: PORT, user: 'app', database: 'shop', password }
      const client = new pg.Client(given)
      try {
        await client.connect()
        const { rows } = await client.query<{ name: string }>('select current_database() as name')
        return rows[0]?.name
      } finally {
        await client.end().catch(() => undefined)
      }
    }
    // Also when it starts again on existing data.
    for (const run of [1, 2]) {
      await fixture.driver.start('postgresql', signal)
      const name = await until(() => connect(PASSWORD).catch(() => undefined), 60_000)
      expect([run, name]).toEqual([run, 'shop'])
      await expect(connect('wrong')).rejects.toThrow(/password/)
      const console = watchConsole(fixture.driver, 'postgresql', signal)
      await fixture.driver.signal('postgresql', 'SIGINT')
      await console.until('database system is shut down')
      await fixture.driver.kill('postgresql')
    }
  })
})
