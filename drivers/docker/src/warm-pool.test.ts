import { mkdir, readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Driver } from '@lodge/driver/driver.ts'
import { runProgram } from '@lodge/driver/run-program.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { isMountPoint } from './data/mounts.ts'
import { openEngine } from './engine/client.ts'
import { networkName } from './engine/names.ts'
import { dockerdMissing } from './testing/dockerd.ts'
import { busyboxSpec, type DockerFixture, dockerFixture } from './testing/fixture.ts'

const missing = await dockerdMissing()
const PATIENCE = { timeout: 60_000, interval: 50 }
const COUNT = 2
const { signal } = new AbortController()
const none = () => undefined

describe.skipIf(missing !== null)('the warm pool', () => {
  let fixture: DockerFixture
  beforeAll(async () => {
    fixture = await dockerFixture({ warmPool: COUNT })
  })
  afterAll(() => fixture.close())

  const spec = busyboxSpec('exec sleep 1000')
  const below = (...names: string[]) => join(fixture.options.dataRoot, ...names)
  const inode = async (...names: string[]) => (await stat(below(...names))).ino
  const apply = (serverId: string, driver: Pick<Driver, 'apply'> = fixture.driver) =>
    driver.apply({ serverId, generation: 1, run: 1 }, spec, none, signal)
  const disks = async () => {
    const names = await readdir(below('spares')).catch(() => [])
    return names.filter((name) => !name.startsWith('new-'))
  }
  const network = (number: number) => {
    const { docker } = openEngine(fixture.engine.socketPath)
    return docker.getNetwork(networkName('test', number)).inspect()
  }
  /** Resolves when the pool is full. */
  const filled = (taken: number) =>
    vi.waitFor(async () => {
      expect(await disks()).toHaveLength(COUNT)
      for (let next = 1; next <= COUNT; next += 1) await network(taken + next)
    }, PATIENCE)

  it('becomes the next server, with the usual limits', async () => {
    await apply('first')
    await filled(1)
    const warmPool = await Promise.all(
      (await disks()).map((name) => inode('spares', name, 'disk.img')),
    )
    const { Id } = await network(2)
    expect(await apply('second')).toEqual({ restartRequired: false, diskLimit: 'enforced' })
    expect(warmPool).toContain(await inode('servers', 'second', 'disk.img'))
    expect((await network(2)).Id).toBe(Id)
    const data = fixture.driver.dataFolder('second')
    expect(await isMountPoint(data)).toBe(true)
    await expect(writeFile(join(data, 'much'), Buffer.alloc(80 * 1024 * 1024))).rejects.toThrow(
      'ENOSPC',
    )
    await fixture.driver.start('second', signal)
    expect(Object.values((await network(2)).Containers ?? {})).toHaveLength(1)
    await filled(2)
  })

  it('is removed with its server and leaves nothing behind', async () => {
    await apply('passing')
    const data = fixture.driver.dataFolder('passing')
    await fixture.driver.remove('passing')
    expect(await readFile('/proc/self/mounts', 'utf8')).not.toContain(data)
    expect(await readdir(below('servers'))).not.toContain('passing')
  })

  it('is refused to a server while the disk of the machine is full, which ends no limit of others', async () => {
    const folder = below('servers', 'crowded')
    await mkdir(folder, { recursive: true })
    const tmpfs = (size: string, ...options: string[]) =>
      runProgram('mount', [
        '-t',
        'tmpfs',
        '-o',
        [`size=${size}`, ...options].join(),
        'full',
        folder,
      ])
    expect((await tmpfs('64k')).code).toBe(0)
    for (const _ of [1, 2])
      await expect(apply('crowded')).rejects.toMatchObject({ code: 'disk_full', retryable: true })
    expect(await apply('beside')).toMatchObject({ diskLimit: 'enforced' })
    await tmpfs('256m', 'remount')
    expect(await apply('crowded')).toMatchObject({ diskLimit: 'enforced' })
    // The folder itself stays as long as something is mounted there.
    for (const serverId of ['beside', 'crowded']) await fixture.driver.remove(serverId).catch(none)
    await vi.waitFor(
      async () => expect((await runProgram('umount', [folder])).code).toBe(0),
      PATIENCE,
    )
    await fixture.driver.remove('crowded')
  })

  it('is reused after the agent was killed at any point', async () => {
    await filled(2)
    fixture.driver.close()
    const unfinished = below('spares', 'new-and-not-finished')
    await mkdir(unfinished)
    await writeFile(join(unfinished, 'disk.img.new'), '')
    const [name = ''] = await disks()
    const warm = await inode('spares', name, 'disk.img')
    await rename(below('spares', name), below('servers', 'third'))
    const driver = fixture.again()
    await driver.recover(signal)
    expect(await apply('third', driver)).toMatchObject({ diskLimit: 'enforced' })
    expect(await inode('servers', 'third', 'disk.img')).toBe(warm)
    expect((await stat(driver.dataFolder('third'))).uid).toBeGreaterThan(0)
    await filled(3)
    expect(await readdir(below('spares'))).toHaveLength(COUNT)
    await driver.start('third', signal)
    expect(await driver.recover(signal)).toContainEqual(
      expect.objectContaining({ serverId: 'third', running: true }),
    )
  })
})
