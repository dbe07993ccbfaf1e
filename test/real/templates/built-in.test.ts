import { readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { ContainerSpec, ImageSource } from '@lodge/shared/container-spec.ts'
import { builtInTemplates } from '@lodge/shared/templates/builtin/all.ts'
import { PLAYER_LIST } from '@lodge/shared/templates/builtin/luanti-console.ts'
import { containerSpecOf } from '@lodge/shared/templates/resolve.ts'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { askPlayers } from '../../../agent/src/players/ask.ts'
import { readPlayerList } from '../../../agent/src/players/read-list.ts'
import type { Progress } from '../../../drivers/contract/src/driver.ts'
import { runProgram } from '../../../drivers/contract/src/run-program.ts'
import { watchConsole } from '../../../drivers/contract/src/suite/watch.ts'
import { openEngine } from '../../../drivers/docker/src/engine/client.ts'
import { type DebianSource, debianTag } from '../../../drivers/docker/src/images/debian.ts'
import { dockerdMissing } from '../../../drivers/docker/src/testing/dockerd.ts'
import {
  busyboxSpec,
  type DockerFixture,
  dockerFixture,
} from '../../../drivers/docker/src/testing/fixture.ts'
import { until } from '../../support/until.ts'

const missing = await dockerdMissing()
const PORT = 29_931
const PASSWORD = "it's $ecret"
const none = () => {}

// In one file, because they share the slowest part, the base system. The newcomer's test builds one
// in each run.
describe.skipIf(missing !== null)('on a real engine', { tags: 'long' }, () => {
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

  describe('an image from Debian packages', () => {
    const image: ImageSource = { kind: 'debian', suite: 'bookworm', packages: [] }
    let count = 0

    const specOf = (
      source: ImageSource,
      command = ['sh', '-c', 'echo ready; exec sleep 1000'],
    ): ContainerSpec => ({ ...busyboxSpec(''), image: source, command })

    function ref() {
      count += 1
      return { serverId: `image-${count}`, generation: 1, run: 1 }
    }

    /** Folders that unfinished builds would leave. */
    async function builds(): Promise<string[]> {
      const names = await readdir(path.join(fixture.options.dataRoot, 'images')).catch(() => [])
      return names.filter((name) => !name.endsWith('.json'))
    }

    async function runs(source: ImageSource): Promise<Progress[]> {
      const server = ref()
      const progress: Progress[] = []
      const lines = watchConsole(fixture.driver, server.serverId, signal)
      await fixture.driver.apply(server, specOf(source), (step) => progress.push(step), signal)
      await fixture.driver.start(server.serverId, signal)
      await lines.until('ready')
      await fixture.driver.remove(server.serverId)
      return progress
    }

    async function prints(source: ImageSource, script: string): Promise<string> {
      const server = ref()
      const lines = watchConsole(fixture.driver, server.serverId, signal)
      const spec = specOf(source, ['sh', '-c', `${script}; echo over; exec sleep 100`])
      await fixture.driver.apply(server, spec, none, signal)
      await fixture.driver.start(server.serverId, signal)
      const printed = await lines.until('over')
      await fixture.driver.remove(server.serverId)
      return printed
    }

    it('is built once and runs a server as its own user on a read-only root', async () => {
      const packages = ['netcat-openbsd']
      const progress = await runs({ ...image, packages })
      const shares = progress.map((step) => step.percent ?? 0)
      expect(shares).toEqual([...shares].sort((a, b) => a - b))
      expect(shares.at(-1)).toBeGreaterThan(80)
      expect(await runs({ ...image, packages })).toEqual([])
      await runs(image)
      const script =
        'cat /etc/debian_version; id -u; touch /x 2>&1; ls /var/lib/apt/lists | grep -c Packages'
      expect(await prints(image, script)).toMatch(
        /^12\.\d+\n2\d{5}\n.*Read-only file system\n0\nover/,
      )
    })

    it('is built on the base system of all others, and shares its layer', async () => {
      await runs(image)
      const packages = ['ncal']
      const logged = (await runs({ ...image, packages })).flatMap(({ logLines = [] }) => logLines)
      const installed = logged.flatMap((line) => /^Setting up ([^ :]+)/.exec(line)?.[1] ?? [])
      expect(installed).toContain('ncal')
      expect(installed).not.toContain('base-files')
      const script = 'ncal -bh 1 2000 | head -1; stat -c %a:%u /usr/bin/ncal /etc/shadow'
      expect(await prints({ ...image, packages }, script)).toMatch(
        /January 2000\s+755:0\n640:0\nover/,
      )
      const { docker } = openEngine(fixture.options.socketPath)
      const [base, other] = await Promise.all(
        [image, { ...image, packages }].map((source) =>
          docker.getImage(debianTag(source as DebianSource)).inspect(),
        ),
      )
      const layers = other?.RootFS.Layers ?? []
      expect(layers).toHaveLength(2)
      expect(layers[0]).toBe(base?.RootFS.Layers?.[0])
      expect((other?.Size ?? 0) - (base?.Size ?? 0)).toBeLessThan(10_000_000)
      // And no copy of it exists outside the engine.
      const { output } = await runProgram('du', [
        '-sm',
        path.join(fixture.options.dataRoot, 'images'),
      ])
      expect(Number(output.split('\t')[0])).toBeLessThan(5)
    })

    it('names a package that does not exist', async () => {
      const wrong = { ...image, packages: ['no-such-package-anywhere'] }
      const work = fixture.driver.apply(ref(), specOf(wrong), none, signal)
      await expect(work).rejects.toMatchObject({
        code: 'image_unavailable',
        message: expect.stringContaining('no-such-package-anywhere'),
      })
      expect(await builds()).toEqual([])
    })

    it('leaves nothing behind when its build is cancelled', async () => {
      const stop = new AbortController()
      const progress: Progress[] = []
      const other = { ...image, packages: ['bc'] }
      const work = fixture.driver.apply(
        ref(),
        specOf(other),
        (step) => progress.push(step),
        stop.signal,
      )
      const outcome = expect(work).rejects.toThrow('enough')
      await vi.waitFor(() => expect(progress.length).toBeGreaterThan(0), 30_000)
      stop.abort(new Error('enough'))
      await outcome
      expect(await builds()).toEqual([])
    })
  })

  describe('a built-in template', () => {
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
      const progress: Progress[] = []
      const apply = () => fixture.driver.apply(server, spec, (step) => progress.push(step), signal)
      await apply()
      expect(progress.at(-1)?.percent).toBeGreaterThan(80)
      // Its image is built once.
      progress.length = 0
      await apply()
      expect(progress).toEqual([])
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
      const reported = await until(() => askPlayers('openttd', PORT))
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
        const name = await until(() => connect(PASSWORD).catch(() => undefined))
        expect([run, name]).toEqual([run, 'shop'])
        await expect(connect('wrong')).rejects.toThrow(/password/)
        const console = watchConsole(fixture.driver, 'postgresql', signal)
        await fixture.driver.signal('postgresql', 'SIGINT')
        await console.until('database system is shut down')
        await fixture.driver.kill('postgresql')
      }
    })
  })
})
