import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { CAPABILITIES } from '@lodge/driver/capabilities.ts'
import { sharedStorages } from '@lodge/driver/storage/shared-storages.ts'
import { type MachineFixture, machineSuite } from '@lodge/driver/suite/machines.ts'
import { describe, expect, it } from 'vitest'
import { isLong } from '../../../test/run/lengths.ts'
import { cephMissing } from './testing/ceph.ts'
import { type LibvirtFixture, libvirtFixture, permit } from './testing/fixture.ts'
import { libvirtMissing } from './testing/node.ts'
import { type RbdWorld, rbdWorld } from './testing/rbd-world.ts'

const missing = (await libvirtMissing()) ?? (await cephMissing())

/** A node of another site: its storage has the same identity, in a folder and a pool of its own. */
async function otherSite(
  { ceph, storage, storageId }: RbdWorld,
  folder: string,
): Promise<LibvirtFixture> {
  const mark = JSON.parse(await readFile(join(storage, 'lodge/storage.json'), 'utf8'))
  const { otherPool } = ceph
  await mkdir(join(folder, 'lodge'), { recursive: true, mode: 0o711 })
  await chmod(folder, 0o711)
  const text = JSON.stringify({ ...mark, pool: otherPool.pool })
  await writeFile(join(folder, 'lodge/storage.json'), text)
  await ceph.rbd('create', `${otherPool.pool}/lodge.${storageId}`, '--size', '1M')
  const places = new Map([['fast', folder]])
  const made = await libvirtFixture({
    storages: sharedStorages(places, new Map([['fast', otherPool]])),
  })
  await ceph.reach(made.node)
  return made
}

/** The suite of all drivers, on a machine with its disks in a pool. */
async function poolFixture(): Promise<MachineFixture> {
  const world = await rbdWorld()
  const { one, storageId, close } = world
  const folder = await mkdtemp(join(tmpdir(), 'lodge-site-'))
  let elsewhere: LibvirtFixture | null = null
  return {
    get driver() {
      return one.driver
    },
    again: () => one.again(),
    async elsewhere() {
      elsewhere ??= await otherSite(world, folder)
      return elsewhere.driver
    },
    spec: (program, change) => one.spec(program, { storage: storageId, ...change }),
    permit,
    async close() {
      await elsewhere?.close()
      await close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

if (missing === null)
  describe('with disks in an RBD pool', { tags: 'long' }, () => {
    machineSuite('the libvirt driver', poolFixture, {
      guests: true,
      has: CAPABILITIES.filter((name) => !['images', 'files'].includes(name)),
    })
  })

it(missing === null ? 'there is a Ceph for the suite' : `skipped: ${missing}`, () => {
  if (process.env.CI && isLong) expect(missing).toBeNull()
})
