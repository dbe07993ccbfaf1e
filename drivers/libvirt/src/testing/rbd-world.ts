import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sharedStorages } from '@lodge/driver/storage/shared-storages.ts'
import { startCeph, type TestCeph } from './ceph.ts'
import { libvirtFixture } from './fixture.ts'

export type RbdWorld = Awaited<ReturnType<typeof rbdWorld>>

/** Two nodes with one storage, whose machines have their disks in a pool. */
export async function rbdWorld() {
  await using open = new AsyncDisposableStack()
  const ceph = open.use(await startCeph())
  const root = await mkdtemp(join(tmpdir(), 'lodge-rbd-'))
  open.defer(() => rm(root, { recursive: true, force: true }))
  const storage = join(root, 'fast')
  await mkdir(join(storage, 'lodge'), { recursive: true, mode: 0o711 })
  await chmod(root, 0o711)
  const storagesWith = (pool?: TestCeph['pool']) =>
    sharedStorages(new Map([['fast', storage]]), new Map(pool ? [['fast', pool]] : []))
  const storages = storagesWith(ceph.pool)
  const storageId = (await storages.report())[0]?.id ?? ''
  const node = async () => {
    const made = await libvirtFixture({ storages })
    open.defer(() => made.close())
    await ceph.reach(made.node)
    return made
  }
  const one = await node()
  const other = await node()
  const kept = open.move()
  return {
    ...{ ceph, storage, storageId, storagesWith, one, other },
    close: () => kept.disposeAsync(),
  }
}
