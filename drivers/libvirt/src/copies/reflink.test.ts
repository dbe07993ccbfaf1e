import {
  chmod,
  mkdir,
  mkdtemp,
  open,
  rm,
  stat,
  statfs,
  truncate,
  writeFile,
} from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type LibvirtFixture, libvirtFixture } from '../testing/fixture.ts'
import { must } from '../testing/must.ts'
import { libvirtMissing } from '../testing/node.ts'

const SNAPSHOT = '00000000-0000-4000-8000-000000000001'
const MIB = 1024 * 1024
const none = () => {}
const signal = new AbortController().signal
const missing =
  (await libvirtMissing()) ??
  ((await runProgram('mkfs.xfs', ['-V'])).code === 0 ? null : 'there is no mkfs.xfs here')

it(missing === null ? 'finds a libvirt and XFS to test with' : `skipped: ${missing}`, () => {
  if (process.env.CI) expect(missing).toBeNull()
})

describe.runIf(missing === null)('snapshots on a file system with reflinks', () => {
  let folder: string
  let place: string
  let fixture: LibvirtFixture
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodge-xfs-'))
    await chmod(folder, 0o711)
    place = join(folder, 'xfs')
    const image = join(folder, 'image')
    await writeFile(image, '')
    await truncate(image, 512 * MIB)
    await must('mkfs.xfs', ['-q', '-m', 'reflink=1', image])
    await mkdir(place)
    await must('mount', ['-o', 'loop', image, place])
    await chmod(place, 0o711)
    fixture = await libvirtFixture({ dataRoot: join(place, 'data') })
  })
  afterAll(async () => {
    await fixture?.close()
    await runProgram('umount', [place])
    await rm(folder, { recursive: true, force: true })
  })

  const usedBytes = async () => {
    await must('sync', ['-f', place])
    const { blocks, bfree, bsize } = await statfs(place)
    return (blocks - bfree) * bsize
  }

  it('take no space until the disk changes, and are complete', async () => {
    const { driver } = fixture
    const ref = { serverId: 'shared', generation: 1, run: 1 }
    const spec = fixture.spec('run')
    await driver.installer.install(ref, spec, none, signal)
    await driver.apply(ref, spec, none, signal)
    const disk = join(driver.dataFolder('shared'), 'disks/system.qcow2')
    const diskBytes = (await stat(disk)).blocks * 512
    expect(diskBytes).toBeGreaterThan(10 * MIB)
    const before = await usedBytes()
    await driver.snapshots.create('shared', SNAPSHOT, none, signal)
    expect((await usedBytes()) - before).toBeLessThan(2 * MIB)

    // What is written afterwards belongs to the disk; the snapshot is unchanged.
    await truncate(disk, 0)
    await writeFile(disk, Buffer.alloc(diskBytes, 1))
    expect((await usedBytes()) - before).toBeGreaterThan(diskBytes - 2 * MIB)
    await driver.snapshots.restore('shared', SNAPSHOT, none, signal)
    // XFS frees unlinked files asynchronously.
    await vi.waitFor(async () => expect((await usedBytes()) - before).toBeLessThan(2 * MIB), {
      timeout: 60_000,
      interval: 200,
    })

    // A reflinked copy was never read, but writes to it are still detected.
    const kept = await open(
      join(driver.dataFolder('shared'), 'snapshots', SNAPSHOT, 'disk-system.qcow2'),
      'r+',
    )
    await kept.write(Buffer.alloc(1, 1), 0, 1, diskBytes - 1)
    await kept.close()
    const again = driver.snapshots.restore('shared', SNAPSHOT, none, signal)
    await expect(again).rejects.toMatchObject({ code: 'copy_damaged' })
    await driver.remove('shared')
  })
})
