import { createHash, randomUUID } from 'node:crypto'
import {
  chmod,
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
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type LibvirtFixture, libvirtFixture, permit, UEFI_PROFILE } from './testing/fixture.ts'
import { must } from './testing/must.ts'
import { libvirtMissing } from './testing/node.ts'

const missing = await libvirtMissing()
const nothing = () => {}
const signal = new AbortController().signal

describe.runIf(missing === null)('two nodes with one storage', () => {
  let root: string
  let storage: string
  let storageId: string
  let one: LibvirtFixture
  let other: LibvirtFixture

  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'lodge-shared-'))
    storage = join(root, 'fast')
    await mkdir(join(storage, 'lodge'), { recursive: true, mode: 0o711 })
    await chmod(root, 0o711)
    const storages = sharedStorages(new Map([['fast', storage]]))
    storageId = (await storages.report())[0]?.id ?? ''
    const nodes = await Promise.all([libvirtFixture({ storages }), libvirtFixture({ storages })])
    one = nodes[0]
    other = nodes[1]
  })
  afterAll(async () => {
    await Promise.all([one?.close(), other?.close()])
    if (root) await rm(root, { recursive: true, force: true })
  })

  const server = (serverId: string, generation = 1) => ({ serverId, generation, run: 1 })
  const folderOf = (serverId: string) => join(storage, 'lodge/servers', serverId)
  const homeOf = (serverId: string) => join(folderOf(serverId), 'data')
  const made = (change: Partial<Record<keyof MachineSpec, unknown>> = {}) =>
    one.spec('run', { storage: storageId, ...change })
  const isDefined = async ({ node }: LibvirtFixture, { uuid }: MachineSpec) =>
    (await node.run('virsh', ['list', '--all', '--uuid'])).output.includes(uuid)
  const hash = async (file: string) =>
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
  async function create(serverId: string, spec: MachineSpec): Promise<void> {
    await one.driver.installer.install(server(serverId), spec, nothing, signal)
    await one.driver.apply(server(serverId), spec, nothing, signal)
  }

  it('boots a machine on one with disks, firmware, TPM and snapshots that it had on the other', async () => {
    const [id, snapshotId] = [randomUUID(), randomUUID()]
    const spec = made({ profile: UEFI_PROFILE })
    const home = homeOf(id)
    const state = join(home, 'tpm/tpm2/tpm2-00.permall')
    const link = ({ node }: LibvirtFixture) => readlink(join(node.tpmFolder, spec.uuid))
    await create(id, spec)
    await one.driver.start(id, signal, permit())
    const { output } = await one.node.run('virsh', ['dumpxml', spec.uuid])
    expect(output).toContain(`file='${home}/disks/system.qcow2'`)
    expect(output).toContain(`>${home}/firmware.fd</nvram>`)
    await one.driver.kill(id)
    await one.driver.snapshots.create(id, snapshotId, nothing, signal)
    expect(await link(one)).toBe(join(home, 'tpm'))
    expect((await readdir(home)).sort()).toEqual(
      ['disks', 'firmware.fd', 'seed.iso', 'server.json', 'snapshots', 'tpm'].sort(),
    )
    expect((await readdir(join(one.options.dataRoot, id))).sort()).toEqual([
      ...['run', 'serial.log', 'server.json', 'storage'],
    ])
    const files = [join(home, 'disks/system.qcow2'), join(home, 'firmware.fd'), state]
    const before = await Promise.all(files.map(hash))

    // As its former node does that is back: what it has goes, and nothing on the storage.
    await one.driver.remove(id)
    expect(await isDefined(one, spec)).toBe(false)
    await expect(link(one)).rejects.toThrow()
    expect(await exists(join(one.options.dataRoot, id))).toBe(false)

    await other.driver.apply(server(id, 0), spec, nothing, signal)
    expect(await Promise.all(files.map(hash))).toEqual(before)
    const kept = await other.driver.snapshots.list(id)
    expect(kept).toMatchObject([{ snapshotId, has: { firmware: true, tpm: true } }])
    const { ino } = await stat(join(home, 'tpm'))
    await other.driver.start(id, signal, permit())
    expect(await link(other)).toBe(join(home, 'tpm'))
    expect((await stat(join(home, 'tpm'))).ino).toBe(ino)
    expect(await other.node.swtpmPid(spec.uuid)).not.toBeNull()
    await other.driver.kill(id)
    await other.driver.snapshots.restore(id, snapshotId, nothing, signal)
    expect(await Promise.all(files.map(hash))).toEqual(before)

    await other.driver.remove(id, 'and-shared')
    expect(await exists(folderOf(id))).toBe(false)
    expect(await exists(join(other.options.dataRoot, id))).toBe(false)
    await expect(link(other)).rejects.toThrow()
    await other.driver.remove(id, 'and-shared')
  })

  it('never opens disks that the other one has open, and leaves its work there alone', async () => {
    const id = randomUUID()
    const spec = made()
    await create(id, spec)
    await one.driver.start(id, signal, permit())
    await other.driver.apply(server(id, 0), spec, nothing, signal)
    await expect(other.driver.start(id, signal, permit())).rejects.toMatchObject({
      code: 'not_stopped',
      retryable: true,
    } satisfies Partial<DriverError>)
    expect(await one.node.qemuPid(spec.uuid)).not.toBeNull()

    const copies = async () =>
      (await readdir(homeOf(id))).filter((name) => name.startsWith('backup'))
    const frozen = await one.driver.backups.freeze?.(id, nothing, signal)
    const [copy = ''] = await copies()
    expect(frozen?.folder).toBe(join(homeOf(id), copy, 'data'))
    // An agent that comes back ends what it left behind, and no copy of another node's.
    await (await other.again()).recover(signal)
    expect(await copies()).toEqual([copy])
    // A node that was lost in a backup does so never.
    await mkdir(join(homeOf(id), 'backup-lost/data'), { recursive: true })
    await frozen?.release()
    expect(await copies()).toEqual(['backup-lost'])
    await one.driver.kill(id)
    await (await one.driver.backups.freeze?.(id, nothing, signal))?.release()
    expect(await copies()).toEqual([])
    await other.driver.remove(id)
    await one.driver.remove(id, 'and-shared')
  })

  it('takes a machine from the disk of the other one onto the storage, and gives it back', async () => {
    const id = randomUUID()
    const { storage: _, ...onDisk } = made({ profile: UEFI_PROFILE })
    const onStorage: MachineSpec = { ...onDisk, storage: storageId }
    const state = (folder: string) => join(folder, 'tpm2/tpm2-00.permall')
    const own = ({ options, node }: LibvirtFixture) => [
      join(options.dataRoot, id, 'disks/system.qcow2'),
      join(options.dataRoot, id, 'firmware.fd'),
      state(join(node.tpmFolder, onDisk.uuid)),
    ]
    const home = homeOf(id)
    const there = [
      join(home, 'disks/system.qcow2'),
      join(home, 'firmware.fd'),
      state(join(home, 'tpm')),
    ]
    const copied = async (from: LibvirtFixture, to: LibvirtFixture, spec: MachineSpec) => {
      const { transfer } = from.driver
      const manifest = await transfer.manifest(id, nothing, signal)
      const read = (name: string, offset: number) => transfer.read(id, name, offset, signal)
      await to.driver.transfer.import(server(id, 0), spec, manifest, read, nothing, signal)
    }
    await create(id, onDisk)
    await one.driver.start(id, signal, permit())
    await one.driver.kill(id)
    const before = await Promise.all(own(one).map(hash))
    // An earlier stay there that nobody could delete.
    await mkdir(join(home, 'snapshots/forgotten'), { recursive: true })
    await copied(one, other, onStorage)
    expect(await Promise.all(there.map(hash))).toEqual(before)
    expect(await exists(join(home, 'snapshots/forgotten'))).toBe(false)
    expect(await exists(join(home, 'arriving'))).toBe(false)
    await one.driver.remove(id, undefined)
    await other.driver.start(id, signal, permit())
    const { output } = await other.node.run('virsh', ['dumpxml', onDisk.uuid])
    expect(output).toContain(`file='${home}/disks/system.qcow2'`)
    await other.driver.kill(id)

    const after = await Promise.all(there.map(hash))
    await copied(other, one, onDisk)
    await other.driver.remove(id, 'and-shared')
    expect(await exists(folderOf(id))).toBe(false)
    expect(await Promise.all(own(one).map(hash))).toEqual(after)

    // And on its own node, with a snapshot: onto the storage, and to the disk again.
    const { relocation, snapshots } = one.driver
    const snapshotId = randomUUID()
    await snapshots.create(id, snapshotId, nothing, signal)
    const small = (files: readonly string[]) => Promise.all(files.slice(1).map(hash))
    await expect(relocation.place(id, storageId)).rejects.toMatchObject({ code: 'disk_missing' })
    await relocation.copy(id, storageId, nothing, signal)
    expect(await small(there)).toEqual(after.slice(1))
    expect(one.driver.dataFolder(id)).toBe(join(one.options.dataRoot, id))
    await relocation.place(id, storageId)
    await one.driver.apply(server(id, 2), onStorage, nothing, signal)
    // The way back, as long as the former disk is there: the spec leads it.
    await one.driver.apply(server(id, 3), onDisk, nothing, signal)
    expect(await small(own(one))).toEqual(after.slice(1))
    await one.driver.apply(server(id, 4), onStorage, nothing, signal)
    await one.driver.start(id, signal, permit())
    const defined = (await one.node.run('virsh', ['dumpxml', onDisk.uuid])).output
    expect(defined).toContain(`file='${home}/disks/system.qcow2'`)
    expect(await readlink(join(one.node.tpmFolder, onDisk.uuid))).toBe(join(home, 'tpm'))
    await expect(relocation.place(id, null)).rejects.toMatchObject({ code: 'not_stopped' })
    await expect(relocation.drop(id, storageId)).rejects.toMatchObject({ code: 'not_permitted' })
    await one.driver.kill(id)
    await relocation.drop(id, null)
    expect((await readdir(join(one.options.dataRoot, id))).sort()).toEqual([
      ...['run', 'serial.log', 'server.json', 'storage'],
    ])
    const booted = await Promise.all(there.map(hash))
    await relocation.copy(id, null, nothing, signal)
    await must('qemu-img', ['compare', there[0] ?? '', own(one)[0] ?? ''])
    await relocation.place(id, null)
    await relocation.drop(id, storageId)
    expect(await exists(homeOf(id))).toBe(false)
    await one.driver.apply(server(id, 5), onDisk, nothing, signal)
    expect(await small(own(one))).toEqual(booted.slice(1))
    await snapshots.restore(id, snapshotId, nothing, signal)
    expect(await small(own(one))).toEqual(after.slice(1))
    await one.driver.remove(id)
    expect(await exists(join(one.options.dataRoot, id))).toBe(false)
  })

  it('touches nothing while the storage is not mounted, and goes on once it is', async () => {
    const id = randomUUID()
    const spec = made()
    await create(id, spec)
    await rename(storage, `${storage}-away`)
    await mkdir(storage)
    const { driver } = one
    const work: readonly Promise<unknown>[] = [
      driver.start(id, signal, permit()),
      driver.apply(server(id, 2), spec, nothing, signal),
      driver.installer.install(server(id, 2), spec, nothing, signal),
      driver.snapshots.create(id, randomUUID(), nothing, signal),
      driver.backups.stage(id, randomUUID(), 1000, signal),
      driver.diskUsage.measure(id),
      driver.remove(id, 'and-shared'),
    ]
    for (const one of await Promise.allSettled(work))
      expect(one).toMatchObject({ status: 'rejected', reason: { code: 'storage_away' } })
    expect(await readdir(storage)).toEqual([])
    const found = await driver.recover(signal)
    expect(found.find(({ serverId }) => serverId === id)).toMatchObject({ exists: true })
    await rm(storage, { recursive: true })
    await rename(`${storage}-away`, storage)

    // What is gone is told, not made anew: not even by a node that has never had the machine.
    const disk = join(homeOf(id), 'disks/system.qcow2')
    await rename(disk, `${disk}.taken`)
    for (const { driver } of [one, other])
      await expect(driver.apply(server(id, 3), spec, nothing, signal)).rejects.toMatchObject({
        code: 'disk_missing',
      })
    await rename(`${disk}.taken`, disk)
    const larger = { ...spec, disks: [{ ...spec.disks[0], sizeMb: 64 }] } as MachineSpec
    await driver.apply(server(id, 3), larger, nothing, signal)
    await driver.start(id, signal, permit())
    await driver.remove(id, 'and-shared')
    await other.driver.remove(id)
    expect(await exists(folderOf(id))).toBe(false)
  })
})

it(missing === null ? 'there is a libvirt to try on' : `skipped: ${missing}`, () => {
  if (process.env.CI) expect(missing).toBeNull()
})
