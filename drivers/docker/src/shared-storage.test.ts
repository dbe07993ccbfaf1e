import {
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rename,
  rm,
  stat,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DriverError } from '@lodge/driver/driver.ts'
import { sharedStorages } from '@lodge/driver/storage/shared-storages.ts'
import { exists } from '@lodge/shared/local/files.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DockerDriver, dockerDriver } from './docker.ts'
import { busyboxSpec, type DockerFixture, dockerFixture } from './testing/fixture.ts'

let root: string
let storage: string
let storageId: string
let fixture: DockerFixture
/** Of another node, which has the storage at another path. */
let other: DockerDriver
let otherRoot: string
const signal = new AbortController().signal
const nothing = () => {}

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'lodge-shared-'))
  storage = join(root, 'fast')
  await mkdir(join(storage, 'lodge'), { recursive: true })
  const storages = sharedStorages(new Map([['fast', storage]]))
  storageId = (await storages.report())[0]?.id ?? ''
  fixture = await dockerFixture({ storages })
  otherRoot = join(root, 'other')
  other = dockerDriver({ ...fixture.options, dataRoot: otherRoot, labelScope: 'other', storages })
})
afterAll(async () => {
  other?.close()
  await fixture?.close()
  await rm(root, { recursive: true, force: true })
})

const server = (serverId: string, generation = 1) => ({ serverId, generation, run: 1 })
const spec = (script: string) => ({ ...busyboxSpec(script), storage: storageId })
const ID = '0190a000-0000-7000-8000-000000000001'
const NEIGHBOUR = '0190a000-0000-7000-8000-000000000002'
const WRITES = 'echo -n last > /data/byte; echo ready; exec sleep 1000'
const APPENDS = 'echo -n +byte >> /data/byte; echo ready; exec sleep 1000'
const home = () => join(storage, 'lodge/servers', ID)
const written = (text: string) =>
  expect.poll(() => readFile(join(home(), 'data/byte'), 'utf8').catch(() => '')).toBe(text)

test('files on a storage stay when one node removes a server, and belong to the same user on the next', async () => {
  const { driver } = fixture
  const { diskLimit } = await driver.apply(server(ID), spec(WRITES), nothing, signal)
  expect(diskLimit).toBe('measured')
  await driver.start(ID, signal)
  await written('last')
  const { uid } = await stat(join(home(), 'data/byte'))
  expect(uid).toBeGreaterThan(0x4000_0000)
  expect(await driver.files.open(ID)).toMatchObject({ folder: join(home(), 'data'), uid })

  await driver.kill(ID)
  await driver.remove(ID)
  expect(await readFile(join(home(), 'data/byte'), 'utf8')).toBe('last')
  expect(await exists(join(fixture.options.dataRoot, 'servers', ID))).toBe(false)

  // Another server has the first number of that node.
  await other.apply(server(NEIGHBOUR), busyboxSpec('exec sleep 1000'), nothing, signal)
  await other.apply(server(ID, 0), spec(APPENDS), nothing, signal)
  await other.start(ID, signal)
  await written('last+byte')
  expect((await stat(join(home(), 'data'))).uid).toBe(uid)
  const found = await other.recover(signal)
  expect(found.find(({ serverId }) => serverId === ID)).toMatchObject({ running: true })
})

test('a server whose storage is not mounted is neither made nor started nor removed', async () => {
  await other.kill(ID)
  await rename(storage, `${storage}-away`)
  await mkdir(storage)
  const away = { code: 'storage_away' } satisfies Partial<DriverError>
  await expect(other.start(ID, signal)).rejects.toMatchObject(away)
  await expect(other.apply(server(ID, 2), spec(WRITES), nothing, signal)).rejects.toMatchObject(
    away,
  )
  await expect(other.files.open(ID)).rejects.toMatchObject(away)
  await expect(other.backups.open(ID)).rejects.toMatchObject(away)
  await expect(other.remove(ID, 'and-shared')).rejects.toMatchObject(away)
  expect(await exists(join(storage, 'lodge'))).toBe(false)
  await rm(storage, { recursive: true })
  await rename(`${storage}-away`, storage)
  await other.apply(server(ID, 2), spec(APPENDS), nothing, signal)
  await other.start(ID, signal)
  await written('last+byte+byte')
})

test('a restore exchanges the files on the storage, where another node would complete it', async () => {
  await other.kill(ID)
  const restoreId = '0190a000-0000-7000-8000-0000000000ff'
  const staged = await other.backups.stage(ID, restoreId, 1000, signal)
  expect(staged).toBe(join(home(), 'restore/data'))
  await other.backups.complete(ID, restoreId, signal)
  await other.backups.swap(ID, restoreId)
  await fixture.driver.apply(server(ID, 0), spec(WRITES), nothing, signal)
  expect(await exists(join(home(), 'data/byte'))).toBe(false)
  await other.backups.swapBack(ID, restoreId)
  await written('last+byte+byte')
  await other.backups.settle(ID, restoreId)
  expect(await exists(join(home(), 'restore'))).toBe(false)
  await fixture.driver.remove(ID)
  expect(await exists(join(home(), 'data/byte'))).toBe(true)
})

test('a known server whose files are gone gets no empty ones, and is deleted with what is left', async () => {
  await rename(join(home(), 'data'), join(root, 'taken'))
  await expect(other.apply(server(ID, 3), spec(WRITES), nothing, signal)).rejects.toMatchObject({
    code: 'disk_missing',
  })
  await rename(join(root, 'taken'), join(home(), 'data'))
  await other.remove(ID, 'and-shared')
  expect(await exists(home())).toBe(false)
  expect(await exists(join(otherRoot, 'servers', ID))).toBe(false)
  await other.remove(ID, 'and-shared')
  await other.remove(NEIGHBOUR)
})

test('a server changes its storage on its node and back, whole, with the files of its user', async () => {
  const id = '0190a000-0000-7000-8000-000000000003'
  const { driver } = fixture
  const { relocation } = driver
  const own = join(fixture.options.dataRoot, 'servers', id)
  const there = join(storage, 'lodge/servers', id)
  const onDisk = busyboxSpec(
    `${APPENDS.replace('; echo ready', '; ln -sf /etc/shadow /data/link; mkfifo /data/pipe; ln -f /data/byte /data/same; chmod 4750 /data/same; echo ready')}`,
  )
  const onStorage = { ...onDisk, storage: storageId }
  const holds = (text: string) =>
    expect
      .poll(() => readFile(join(driver.dataFolder(id), 'byte'), 'utf8').catch(() => ''))
      .toBe(text)
  await driver.apply(server(id), onDisk, nothing, signal)
  await driver.start(id, signal)
  await holds('+byte')
  await expect
    .poll(async () => (await lstat(join(driver.dataFolder(id), 'byte'))).mode & 0o7777)
    .toBe(0o4750)
  await expect(relocation.copy(id, storageId, nothing, signal)).rejects.toMatchObject({
    code: 'not_stopped',
  })
  await driver.kill(id)
  await expect(relocation.place(id, storageId)).rejects.toMatchObject({ code: 'disk_missing' })

  // Cancelled, nothing is left, and nothing has changed.
  const ending = new AbortController()
  const copying = relocation.copy(
    id,
    storageId,
    () => ending.abort(new Error('enough')),
    ending.signal,
  )
  await expect(copying).rejects.toThrow('enough')
  expect(await exists(join(there, 'data'))).toBe(false)
  expect(await exists(join(there, 'arriving'))).toBe(false)

  await relocation.copy(id, storageId, nothing, signal)
  await relocation.copy(id, storageId, nothing, signal)
  expect(driver.dataFolder(id)).toBe(join(own, 'data'))
  await relocation.place(id, storageId)
  expect(driver.dataFolder(id)).toBe(join(there, 'data'))
  const { uid, nlink, mode } = await lstat(join(there, 'data/byte'))
  expect([uid > 0x4000_0000, nlink, mode & 0o7777]).toEqual([true, 2, 0o4750])
  expect(await readlink(join(there, 'data/link'))).toBe('/etc/shadow')
  expect((await lstat(join(there, 'data/pipe'))).isFIFO()).toBe(true)
  await driver.apply(server(id, 2), onStorage, nothing, signal)
  await driver.start(id, signal)
  await holds('+byte+byte')
  // A repeated request does not mind that it runs; what it runs on stays.
  await relocation.place(id, storageId)
  await expect(relocation.place(id, null)).rejects.toMatchObject({ code: 'not_stopped' })
  await expect(relocation.drop(id, storageId)).rejects.toMatchObject({ code: 'not_permitted' })

  // The way back before the former files are gone: a spec alone leads there.
  await driver.kill(id)
  await driver.apply(server(id, 3), onDisk, nothing, signal)
  expect(driver.dataFolder(id)).toBe(join(own, 'data'))
  await holds('+byte')
  await driver.apply(server(id, 4), onStorage, nothing, signal)
  await holds('+byte+byte')
  await relocation.drop(id, null)
  await relocation.drop(id, null)
  expect((await readdir(own)).filter((name) => /data|disk\.img|whole/.test(name))).toEqual([])
  // From now on nothing leads back by itself.
  await driver.apply(server(id, 5), onDisk, nothing, signal)
  expect(driver.dataFolder(id)).toBe(join(there, 'data'))
  await expect(relocation.place(id, null)).rejects.toMatchObject({ code: 'disk_missing' })

  await relocation.copy(id, null, nothing, signal)
  await relocation.place(id, null)
  await relocation.drop(id, storageId)
  expect(await exists(join(there, 'data'))).toBe(false)
  const { diskLimit } = await driver.apply(server(id, 6), onDisk, nothing, signal)
  expect(diskLimit).toBe((await exists(join(own, 'disk.img'))) ? 'enforced' : 'measured')
  await driver.start(id, signal)
  await holds('+byte+byte+byte')
  await driver.remove(id)
  expect(await exists(own)).toBe(false)
})
