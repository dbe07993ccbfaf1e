import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { on } from 'node:events'
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { imagePrefix } from '@lodge/driver/storage/images.ts'
import { exists } from '@lodge/shared/local/files.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isLong } from '../../../test/run/lengths.ts'
import { imageDisks, imageOf } from './disks/image-disks.ts'
import { cephMissing, type TestCeph } from './testing/ceph.ts'
import { type LibvirtFixture, permit } from './testing/fixture.ts'
import { killedAt } from './testing/killed.ts'
import { must } from './testing/must.ts'
import { libvirtMissing } from './testing/node.ts'
import { type RbdWorld, rbdWorld } from './testing/rbd-world.ts'

const missing = (await libvirtMissing()) ?? (await cephMissing())
const nothing = () => {}
const signal = new AbortController().signal
const MARK_AT = 20 * 1024 * 1024

describe.runIf(missing === null)(
  'two nodes with one storage and its RBD pool',
  { tags: 'long' },
  () => {
    let world: RbdWorld
    let one: LibvirtFixture
    let other: LibvirtFixture

    beforeAll(async () => {
      world = await rbdWorld()
      ;({ one, other } = world)
    })
    afterAll(() => world?.close())

    const server = (serverId: string, generation = 1) => ({ serverId, generation, run: 1 })
    const folderOf = (serverId: string) => join(world.storage, 'lodge/servers', serverId)
    const homeOf = (serverId: string) => join(folderOf(serverId), 'data')
    const noteOf = (serverId: string) => join(homeOf(serverId), 'disks/system.rbd')
    const made = (change: Partial<Record<keyof MachineSpec, unknown>> = {}) =>
      one.spec('run', { storage: world.storageId, ...change })
    const imagesOf = async (serverId: string) =>
      (await world.ceph.images()).filter((image) => image.includes(serverId))
    const io = async (serverId: string, command: string) =>
      must('qemu-io', [
        ...[
          '-f',
          'raw',
          '-c',
          `${command} ${MARK_AT} 4096`,
          world.ceph.located(await imageOf(noteOf(serverId))),
        ],
      ])
    /** Has an image open, as a machine does. */
    function writerTo(image: string) {
      const child = spawn('qemu-io', ['-f', 'raw', world.ceph.located(image)])
      const answers = on(createInterface(child.stdout), 'line', { close: ['close'] })
      return {
        async write(byte: number): Promise<void> {
          child.stdin.write(`write -P ${byte} ${MARK_AT} 4096\n`)
          for await (const [line] of answers) {
            if (String(line).includes('failed')) throw new Error(String(line))
            if (String(line).includes('wrote')) return
          }
          throw new Error('the write failed, as did its program')
        },
        [Symbol.dispose]: () => void child.kill('SIGKILL'),
      }
    }
    const write = (serverId: string, byte: number) => io(serverId, `write -P ${byte}`)
    const holds = async (serverId: string, byte: number) =>
      !(await io(serverId, `read -P ${byte}`)).includes('verification failed')
    async function create(serverId: string, spec: MachineSpec): Promise<void> {
      await one.driver.installer.install(server(serverId), spec, nothing, signal)
      await one.driver.apply(server(serverId), spec, nothing, signal)
    }

    it('keeps the images of a machine while the file system that names them is away', async () => {
      const id = randomUUID()
      await create(id, made())
      const images = await imagesOf(id)
      const pool = { ...world.ceph.pool, prefix: imagePrefix(world.storageId, id) }
      await imageDisks({ home: join(world.storage, 'unmounted') }, pool).sweep()
      expect(images).toHaveLength(1)
      expect(await imagesOf(id)).toEqual(images)
      await one.driver.remove(id, 'and-shared')
      expect(await imagesOf(id)).toEqual([])
    })

    it('boots a machine on one from the image that it had on the other, which can write no more', async () => {
      const id = randomUUID()
      const spec = made()
      await create(id, spec)
      const [image = ''] = await imagesOf(id)
      await one.driver.start(id, signal, permit())
      const { output } = await one.node.run('virsh', ['dumpxml', spec.uuid])
      expect(output).toContain(`<source protocol='rbd' name='vms/${image}'`)
      expect(output).not.toContain('qcow2')
      await one.driver.kill(id)
      // As of a node that nobody reaches any more, and that goes on.
      using writer = writerTo(image)
      await writer.write(1)
      await other.driver.apply(server(id, 0), spec, nothing, signal)
      await other.driver.start(id, signal, permit())
      expect(await other.node.qemuPid(spec.uuid)).not.toBeNull()
      await expect(writer.write(2)).rejects.toThrow('failed')
      await other.driver.kill(id)
      expect(await holds(id, 1)).toBe(true)
      await other.driver.start(id, signal, permit())
      await one.driver.remove(id)
      expect(await imagesOf(id)).toEqual([image])
      await other.driver.remove(id, 'and-shared')
      expect(await imagesOf(id)).toEqual([])
      expect(await exists(folderOf(id))).toBe(false)
      await other.driver.remove(id, 'and-shared')
    })

    it('grows, returns to snapshots of snapshots, and leaves no image that nothing names', async () => {
      const id = randomUUID()
      const spec = made()
      await create(id, spec)
      const larger = { ...spec, disks: [{ ...spec.disks[0], sizeMb: 64 }] } as MachineSpec
      await one.driver.apply(server(id, 2), larger, nothing, signal)
      await expect(one.driver.apply(server(id, 3), spec, nothing, signal)).rejects.toMatchObject({
        code: 'invalid_spec',
      })
      const { snapshots } = one.driver
      const taken: string[] = []
      for (const byte of [1, 2, 3, 4]) {
        await write(id, byte)
        const snapshot = randomUUID()
        const found = await snapshots.create(id, snapshot, nothing, signal)
        expect(found.diskMb).toBe(64)
        expect(found.sizeBytes).toBeGreaterThan(1_000_000)
        taken.push(snapshot)
        await write(id, 99)
        await snapshots.restore(id, snapshot, nothing, signal)
        expect(await holds(id, byte)).toBe(true)
      }
      await snapshots.restore(id, taken[0] ?? '', nothing, signal)
      expect(await holds(id, 1)).toBe(true)
      const usage = await one.driver.diskUsage.measure(id)
      expect(usage.disks[0]?.usedBytes).toBeGreaterThan(1_000_000)
      for (const snapshot of taken) await snapshots.delete(id, snapshot)
      expect(await snapshots.list(id)).toEqual([])
      // What the disk shares with a former one stays for as long as it does.
      await one.driver.start(id, signal, permit())
      await one.driver.remove(id, 'and-shared')
      expect(await imagesOf(id)).toEqual([])
    })

    it('backs up a running machine, puts the backup in place and takes it back', async () => {
      const id = randomUUID()
      await create(id, made())
      await write(id, 5)
      await one.driver.start(id, signal, permit())
      const frozen = await one.driver.backups.freeze?.(id, nothing, signal)
      const copy = join(world.storage, 'copy')
      await rm(copy, { recursive: true, force: true })
      await mkdir(copy)
      for (const name of ['disk-system.qcow2', 'machine.json', 'seed.iso'])
        await copyFile(join(frozen?.folder ?? '', name), join(copy, name))
      await frozen?.release()
      await one.driver.kill(id)
      await write(id, 6)
      const restoreId = randomUUID()
      const { backups } = one.driver
      const staged = await backups.stage(id, restoreId, 1000, signal)
      for (const name of await readdir(copy)) await copyFile(join(copy, name), join(staged, name))
      await mkdir(join(staged, 'tpm'))
      await backups.complete(id, restoreId, signal)
      // As after a kill.
      await backups.complete(id, restoreId, signal)
      await backups.swap(id, restoreId)
      expect(await holds(id, 5)).toBe(true)
      await backups.swapBack(id, restoreId)
      expect(await holds(id, 6)).toBe(true)
      await backups.swap(id, restoreId).catch(nothing)
      await backups.settle(id, restoreId)
      expect(await imagesOf(id)).toHaveLength(1)
      await one.driver.remove(id, 'and-shared')
      expect(await imagesOf(id)).toEqual([])
    })

    it('gives a machine to the disk of another node, after an interruption, too', async () => {
      const id = randomUUID()
      const spec = made()
      await create(id, spec)
      await write(id, 8)
      const { transfer } = one.driver
      const manifest = await transfer.manifest(id, nothing, signal)
      expect(await transfer.manifest(id, nothing, signal)).toEqual(manifest)
      const { storage: _, ...onDisk } = spec
      await other.driver.transfer.import(
        server(id, 0),
        onDisk,
        manifest,
        (name, offset) => transfer.read(id, name, offset, signal),
        nothing,
        signal,
      )
      const disk = join(other.options.dataRoot, id, 'disks/system.qcow2')
      const read = `read -P 8 ${MARK_AT} 4096`
      expect(await must('qemu-io', ['-r', '-f', 'qcow2', '-c', read, disk])).not.toContain('failed')
      await one.driver.start(id, signal, permit())
      expect(await exists(join(homeOf(id), 'leaving'))).toBe(false)
      await one.driver.remove(id, 'and-shared')
      expect(await imagesOf(id)).toEqual([])

      // And back into the pool.
      const { transfer: returned } = other.driver
      await one.driver.transfer.import(
        server(id, 0),
        spec,
        await returned.manifest(id, nothing, signal),
        (name, offset) => returned.read(id, name, offset, signal),
        nothing,
        signal,
      )
      await other.driver.remove(id)
      expect(await holds(id, 8)).toBe(true)
      expect(await imagesOf(id)).toHaveLength(1)
      await one.driver.start(id, signal, permit())
      await one.driver.remove(id, 'and-shared')
    })

    it('takes a machine from the pool to the disk of its node and back, with its snapshots', async () => {
      const id = randomUUID()
      const spec = made()
      const { storage: _, ...onDisk } = spec
      const { relocation, snapshots } = one.driver
      const file = join(one.options.dataRoot, id, 'disks/system.qcow2')
      const fileHolds = async (byte: number) =>
        !(
          await must('qemu-io', [
            ...['-r', '-f', 'qcow2', '-c', `read -P ${byte} ${MARK_AT} 4096`, file],
          ])
        ).includes('verification failed')
      await create(id, spec)
      await write(id, 5)
      const snapshotId = randomUUID()
      await snapshots.create(id, snapshotId, nothing, signal)
      await write(id, 6)

      await relocation.copy(id, null, nothing, signal)
      expect(await imagesOf(id)).toHaveLength(2)
      await relocation.place(id, null)
      await one.driver.apply(server(id, 2), onDisk, nothing, signal)
      await relocation.drop(id, world.storageId)
      expect(await imagesOf(id)).toEqual([])
      expect(await exists(homeOf(id))).toBe(false)
      expect(await fileHolds(6)).toBe(true)
      await snapshots.restore(id, snapshotId, nothing, signal)
      expect(await fileHolds(5)).toBe(true)

      await relocation.copy(id, world.storageId, nothing, signal)
      await relocation.place(id, world.storageId)
      await one.driver.apply(server(id, 3), spec, nothing, signal)
      await relocation.drop(id, null)
      expect(await exists(file)).toBe(false)
      expect(await holds(id, 5)).toBe(true)
      await write(id, 7)
      await snapshots.restore(id, snapshotId, nothing, signal)
      expect(await holds(id, 5)).toBe(true)
      await one.driver.start(id, signal, permit())
      await one.driver.remove(id, 'and-shared')
      expect(await imagesOf(id)).toEqual([])
    })

    it('is whole after a kill at any step of what is done with its images', {
      timeout: 900_000,
    }, async () => {
      const id = randomUUID()
      const spec = made()
      await create(id, spec)
      await write(id, 7)
      const kept = randomUUID()
      await one.driver.snapshots.create(id, kept, nothing, signal)
      await one.driver.close()
      const { storages: _, ...options } = one.options
      const given = (work: string, snapshotId: string) => ({
        ...{ options },
        inPool: {
          ...{ work, snapshotId, serverId: id, generation: 1, spec },
          places: [['fast', world.storage]],
          pools: [['fast', world.ceph.pool]],
        },
      })
      /** Killed at ever later steps, until it ends by itself. */
      async function untilDone(work: string, snapshotId: () => string): Promise<void> {
        for (let point = 0; !(await killedAt(point, given(work, snapshotId()))); point += 17);
      }
      await untilDone('create', () => randomUUID())
      await untilDone('restore', () => kept)
      const driver = await one.again()
      while (!(await driver.probe(signal)).ok);
      await driver.snapshots.restore(id, kept, nothing, signal)
      expect(await holds(id, 7)).toBe(true)
      for (const { snapshotId } of await driver.snapshots.list(id))
        if (snapshotId !== kept) await driver.snapshots.delete(id, snapshotId)
      await driver.close()
      await untilDone('delete', () => kept)
      await untilDone('install', () => kept)
      await killedAt(9, given('remove', kept))
      await killedAt(12, given('remove', kept))
      const last = await one.again()
      while (!(await last.probe(signal)).ok);
      await last.remove(id, 'and-shared')
      expect(await imagesOf(id)).toEqual([])
      expect(await exists(folderOf(id))).toBe(false)
    })

    it('refuses while the pool does not answer, is another one or is not told of, and never hangs', async () => {
      const id = randomUUID()
      const spec = made()
      await create(id, spec)
      world.ceph.freeze()
      try {
        await expect(one.driver.start(id, signal, permit())).rejects.toMatchObject({
          ...{ code: 'storage_away', retryable: true },
        })
        await expect(one.driver.remove(id, 'and-shared')).rejects.toMatchObject({
          code: 'storage_away',
        })
      } finally {
        world.ceph.thaw()
      }
      const why = async (pool?: TestCeph['pool']) =>
        (await world.storagesWith(pool).report())[0]?.why
      expect(await why()).toContain('which this node was not told of')
      expect(await why(world.ceph.keyless)).toContain('cannot be used')
      await world.ceph.rbd('rename', `vms/lodge.${world.storageId}`, 'vms/other')
      expect(await why(world.ceph.pool)).toContain('is not the one with the disks')
      await world.ceph.rbd('rename', 'vms/other', `vms/lodge.${world.storageId}`)
      expect(await why(world.ceph.pool)).toBeNull()
      const [{ pool } = { pool: undefined }] = await world.storagesWith(world.ceph.pool).report()
      // Managers count the room of pools, and this cluster has none: then it is not known.
      expect(pool).toEqual({ name: 'vms', sizeBytes: null, freeBytes: null })

      // What is gone is told, not made anew.
      const [image = ''] = await imagesOf(id)
      await world.ceph.rbd('rename', `vms/${image}`, 'vms/taken')
      await expect(one.driver.start(id, signal, permit())).rejects.toMatchObject({
        code: 'disk_missing',
      })
      await expect(one.driver.apply(server(id, 2), spec, nothing, signal)).rejects.toMatchObject({
        code: 'disk_missing',
      })
      await world.ceph.rbd('rename', 'vms/taken', `vms/${image}`)
      // Anybody's image stays, whatever its name.
      await world.ceph.rbd('create', 'vms/somebodys', '--size', '1M')
      await one.driver.remove(id, 'and-shared')
      expect(await world.ceph.images()).toContain('somebodys')
    })
  },
)

it(missing === null ? 'there is a Ceph to try on' : `skipped: ${missing}`, () => {
  if (process.env.CI && isLong) expect(missing).toBeNull()
})
