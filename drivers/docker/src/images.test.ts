import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { Progress } from '@lodge/driver/driver.ts'
import { watchConsole } from '@lodge/driver/suite/watch.ts'
import type { ContainerSpec, ImageSource } from '@lodge/shared/container-spec.ts'
import Docker from 'dockerode'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { BUSYBOX, makeBusyboxTar } from './testing/busybox.ts'
import { dockerdMissing } from './testing/dockerd.ts'
import { busyboxSpec, type DockerFixture, dockerFixture } from './testing/fixture.ts'
import { startRegistry, type TestRegistry, type TestRegistryOptions } from './testing/registry.ts'

const missing = await dockerdMissing()
const none = () => {}
const PATIENCE = { timeout: 30_000, interval: 25 }
const life = new AbortController()
let fixture: DockerFixture
let archives: string
let tar: string
let registry: TestRegistry | null = null
let count = 0

async function withRegistry(
  options: Omit<TestRegistryOptions, 'layerFile'>,
): Promise<TestRegistry> {
  registry = await startRegistry({ ...options, layerFile: tar })
  return registry
}

function specOf(
  image: ImageSource,
  command = ['sh', '-c', 'echo ready; exec sleep 1000'],
): ContainerSpec {
  return { ...busyboxSpec(''), image, command }
}

function ref() {
  count += 1
  return { serverId: `image-${count}`, generation: 1, run: 1 }
}

/** Folders that unfinished builds would leave. */
async function builds(): Promise<string[]> {
  const names = await readdir(join(fixture.options.dataRoot, 'images')).catch(() => [])
  return names.filter((name) => !name.endsWith('.json'))
}

async function runs(image: ImageSource, driver = fixture.driver): Promise<Progress[]> {
  const server = ref()
  const progress: Progress[] = []
  const lines = watchConsole(driver, server.serverId, life.signal)
  await driver.apply(server, specOf(image), (step) => progress.push(step), life.signal)
  await driver.start(server.serverId, life.signal)
  await lines.until('ready')
  await driver.remove(server.serverId)
  return progress
}

describe.skipIf(missing !== null)('an image', () => {
  beforeAll(async () => {
    fixture = await dockerFixture()
    archives = join(fixture.options.dataRoot, '..', 'archives')
    await mkdir(join(archives, 'games'), { recursive: true })
    tar = join(archives, 'games', 'root.tar')
    await makeBusyboxTar(tar)
  })
  afterEach(async () => {
    await registry?.close()
    registry = null
  })
  afterAll(async () => {
    life.abort()
    await fixture.close()
  })

  describe('from a registry', () => {
    it('is pulled once, with progress for everyone who needs it at the same time', async () => {
      const { host } = await withRegistry({})
      const image = { kind: 'registry', reference: `${host}/games/server:1` } as const
      const [progress] = await Promise.all([runs(image), runs(image)])
      expect(progress?.some((step) => (step.bytes?.total ?? 0) > 1_000_000)).toBe(true)
      expect(await runs(image)).toEqual([])
    })

    it('logs its pull in the installation that needs it, live and afterwards', async () => {
      const { host } = await withRegistry({})
      const server = ref()
      const told: string[] = []
      const spec = fixture.withInstaller(busyboxSpec(''), { kind: 'exit', code: 0 })
      const install = {
        ...spec.install!,
        image: { kind: 'registry' as const, reference: `${host}/games/server:1` },
      }
      const onProgress = ({ logLines = [] }: Progress) => void told.push(...logLines)
      await fixture.driver.installer.install(server, { ...spec, install }, onProgress, life.signal)
      const kept = await fixture.driver.console.tail(server.serverId, 100, 'install')
      expect(kept).toEqual(told)
      expect(kept.join('\n')).toMatch(/: Pull complete\n(.*\n)*bye$/)
      // The next installation starts a new log.
      await fixture.driver.installer.install(
        { ...server, run: 2 },
        { ...spec, install },
        none,
        life.signal,
      )
      expect(await fixture.driver.console.tail(server.serverId, 100, 'install')).toEqual(['bye'])
    })

    it('is pulled again after something else removed it', async () => {
      const { host } = await withRegistry({})
      const reference = `${host}/games/server:1`
      await runs({ kind: 'registry', reference })
      const docker = new Docker({ socketPath: fixture.options.socketPath })
      await docker.getImage(reference).remove({ force: true })
      expect((await runs({ kind: 'registry', reference })).length).toBeGreaterThan(0)

      // So is that of an installer, whose log tells it.
      await docker.getImage(reference).remove({ force: true })
      const server = ref()
      const spec = fixture.withInstaller(busyboxSpec(''), { kind: 'exit', code: 0 })
      const install = { ...spec.install!, image: { kind: 'registry' as const, reference } }
      const told: string[] = []
      const onProgress = ({ logLines = [] }: Progress) => void told.push(...logLines)
      await fixture.driver.installer.install(server, { ...spec, install }, onProgress, life.signal)
      expect(told.join('\n')).toMatch(/: Pull complete\n(.*\n)*bye$/)
      expect(await fixture.driver.console.tail(server.serverId, 100, 'install')).toEqual(told)
    })

    it('is pulled with the credentials of exactly that registry', async () => {
      const credential = { username: 'lodge', password: 'pa$$ word' }
      const { host, logins } = await withRegistry({ credential })
      const image = { kind: 'registry', reference: `${host}/games/server:1` } as const
      const refused = fixture.driver.apply(ref(), specOf(image), none, life.signal)
      await expect(refused).rejects.toMatchObject({ code: 'image_unavailable' })
      const { dockerDriver } = await import('./docker.ts')
      const wrongHost = dockerDriver({
        ...fixture.options,
        registryCredential: async (of) => (of === '127.0.0.1' ? credential : undefined),
      })
      await expect(wrongHost.apply(ref(), specOf(image), none, life.signal)).rejects.toThrow()
      expect(logins).toEqual([])
      const driver = dockerDriver({
        ...fixture.options,
        registryCredential: async (of) => (of === host ? credential : undefined),
      })
      await runs(image, driver)
      expect(new Set(logins)).toEqual(new Set(['lodge:pa$$ word']))
      wrongHost.close()
      driver.close()
    })

    it('that does not exist is reported as unavailable', async () => {
      const { host } = await withRegistry({})
      const work = fixture.driver.apply(
        ref(),
        specOf({ kind: 'registry', reference: `${host}/games/server:9` }),
        none,
        life.signal,
      )
      await expect(work).rejects.toMatchObject({ code: 'image_unavailable' })
    })

    it('that stalls is abandoned and can be retried', async () => {
      const { host } = await withRegistry({ stall: true })
      const { dockerDriver } = await import('./docker.ts')
      const driver = dockerDriver({ ...fixture.options, pullStallMs: 1000 })
      const work = driver.apply(
        ref(),
        specOf({ kind: 'registry', reference: `${host}/games/server:1` }),
        none,
        life.signal,
      )
      await expect(work).rejects.toMatchObject({
        code: 'image_unavailable',
        retryable: true,
        message: expect.stringContaining('stopped answering'),
      })
      driver.close()
    })

    it('being pulled is cancelled by kill', async () => {
      const { host } = await withRegistry({ stall: true })
      const server = ref()
      const progress: Progress[] = []
      const image = { kind: 'registry', reference: `${host}/games/server:1` } as const
      const work = fixture.driver.apply(
        server,
        specOf(image),
        (step) => progress.push(step),
        life.signal,
      )
      const outcome = expect(work).rejects.toThrow('Ended on request')
      await vi.waitFor(() => expect(progress.length).toBeGreaterThan(0), PATIENCE)
      await fixture.driver.kill(server.serverId)
      await outcome
    })

    it('with an invalid name is refused', async () => {
      for (const reference of [
        '../x',
        'a b',
        'x:y:z',
        'HTTP://x/y',
        'x@sha256:1',
        '-x',
        'x/../y',
      ]) {
        const work = fixture.driver.apply(
          ref(),
          specOf({ kind: 'registry', reference }),
          none,
          life.signal,
        )
        await expect(work).rejects.toMatchObject({ code: 'invalid_spec' })
      }
    })
  })

  describe('from an archive', () => {
    const driverWith = async () => {
      const { dockerDriver } = await import('./docker.ts')
      return dockerDriver({ ...fixture.options, archiveFolder: archives })
    }

    it('is created from a tar file of a root file system', async () => {
      const driver = await driverWith()
      expect(
        (await runs({ kind: 'archive', path: 'games/root.tar' }, driver)).length,
      ).toBeGreaterThan(0)
      expect(await runs({ kind: 'archive', path: 'games/root.tar' }, driver)).toEqual([])
      driver.close()
    })

    it('is loaded from a docker save archive', async () => {
      const docker = new Docker({ socketPath: fixture.options.socketPath })
      const { createWriteStream } = await import('node:fs')
      const { pipeline } = await import('node:stream/promises')
      await pipeline(
        await docker.getImage(BUSYBOX).get(),
        createWriteStream(join(archives, 'saved.tar')),
      )
      const driver = await driverWith()
      await runs({ kind: 'archive', path: 'saved.tar' }, driver)
      driver.close()
    })

    it('outside the allowed folder is refused, however the path leads there', async () => {
      await cp(tar, join(archives, '..', 'outside.tar'))
      await symlink('../outside.tar', join(archives, 'link.tar'))
      await symlink('..', join(archives, 'up'))
      const driver = await driverWith()
      const paths = [
        '../outside.tar',
        join(archives, 'games/root.tar'),
        'games/../../outside.tar',
        'link.tar',
        'up/outside.tar',
        './games/root.tar',
        'games//root.tar',
      ]
      for (const path of paths) {
        const work = driver.apply(ref(), specOf({ kind: 'archive', path }), none, life.signal)
        await expect(work, path).rejects.toMatchObject({ code: 'invalid_spec' })
      }
      for (const path of ['missing.tar', 'games']) {
        const work = driver.apply(ref(), specOf({ kind: 'archive', path }), none, life.signal)
        await expect(work, path).rejects.toMatchObject({ code: 'image_unavailable' })
      }
      const folderless = fixture.driver.apply(
        ref(),
        specOf({ kind: 'archive', path: 'games/root.tar' }),
        none,
        life.signal,
      )
      await expect(folderless).rejects.toMatchObject({ code: 'invalid_spec' })
      driver.close()
    })
  })

  it('folder has no leftovers at the end', async () => {
    await rm(join(archives, 'up'), { force: true })
    expect(await builds()).toEqual([])
  })
})
