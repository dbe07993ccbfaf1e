import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { type BackupWork, MadeBackup } from '@lodge/shared/backup-work.ts'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Backups } from '../../../agent/src/backups/backups.ts'
import { Quiet } from '../../../agent/src/backups/quiet.ts'
import { resticStore, whyNoRestic } from '../../../agent/src/backups/restic-store.ts'
import { storageLinks } from '../../../agent/src/backups/storage/links.ts'
import { Journal } from '../../../agent/src/journal/journal.ts'
import { watchEvents } from '../../../drivers/contract/src/suite/watch.ts'
import {
  type LibvirtFixture,
  libvirtFixture,
  permit,
} from '../../../drivers/libvirt/src/testing/fixture.ts'
import { libvirtMissing } from '../../../drivers/libvirt/src/testing/node.ts'
import { guestShell } from '../../../drivers/libvirt/src/testing/shell.ts'

const missing = (await libvirtMissing()) ?? (await whyNoRestic())
const MIB = 1024 * 1024
const none = () => {}
const DISKS = [
  { id: 'system', sizeMb: 32 },
  { id: 'data', sizeMb: 256 },
]
const WRITE = (word: string) =>
  `printf ${word} | dd of=/dev/vdb bs=512 seek=90000 conv=notrunc 2>/dev/null; sync`
const READ = 'dd if=/dev/vdb bs=512 skip=90000 count=1 2>/dev/null | head -c 7'

describe.skipIf(missing !== null)('backups of a machine in a real repository', () => {
  const life = new AbortController()
  const { signal } = life
  const ref = { serverId: 'machine', generation: 1, run: 1 }
  const repository = {
    id: randomUUID(),
    password: 'a password of the tests',
    location: { kind: 'node' },
  } as const
  let fixture: LibvirtFixture
  let folder: string
  let backups: Backups
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'lodge-kept-'))
    fixture = await libvirtFixture()
    const log = pino({ level: 'silent' })
    const file = path.join(folder, 'journal.db')
    const journal = new Journal({ file, nowMs: Date.now, setAside: none })
    backups = new Backups({
      store: await resticStore(path.join(folder, 'backups')),
      links: storageLinks(() => Promise.reject(new Error('no other node')), none),
      drop: async () => undefined,
      driverOf: () => fixture.driver,
      quiet: new Quiet({ journal, log, type: async () => {}, runOf: () => null }),
      runOf: () => null,
      knows: async () => {},
      letGo: async () => {},
      makeRoom: async () => {},
      places: {
        make: async () => {},
        makeMachine: async () => {},
        adopt: none,
        supersede: async () => undefined,
        discard: async () => {},
        relocations: { copy: async () => {}, change: async () => {}, drop: async () => {} },
      },
    })
  })
  afterAll(async () => {
    life.abort()
    await fixture?.close()
    await rm(folder, { recursive: true, force: true })
  })

  const work = (given: BackupWork, serverId = ref.serverId) =>
    backups.run(serverId, JSON.stringify(given), none, signal)
  const backUp = async () =>
    MadeBackup.parse(JSON.parse(await work({ do: 'create', repository, backupId: randomUUID() })))

  const boot = async (serverId: string) => {
    const shell = guestShell(fixture.driver, serverId, signal)
    await fixture.driver.start(serverId, signal, permit())
    await shell.lines.until('guest: ready')
    return shell
  }
  /** Made by the first test, used by the second. */
  let first: MadeBackup

  test('store only changes, and restore a destroyed machine', async () => {
    const { driver } = fixture
    const spec = fixture.spec('run', { disks: DISKS })
    await driver.installer.install(ref, spec, none, signal)
    await driver.apply(ref, spec, none, signal)
    const events = watchEvents(driver, signal)
    const shell = await boot(ref.serverId)
    await shell.run('dd if=/dev/urandom of=/dev/vdb bs=1M count=24 2>/dev/null')
    await shell.run(WRITE('first-1'))
    first = await backUp()
    expect(first).toMatchObject({ takenWhileRunning: true })
    expect(first.storedBytes).toBeGreaterThan(24 * MIB)
    // The empty part of the disk takes no space.
    expect(first.sizeBytes).toBeLessThan(80 * MIB)
    await shell.run(WRITE('second2'))
    const second = await backUp()
    expect(second.storedBytes).toBeLessThan(10 * MIB)
    await shell.run('dd if=/dev/zero of=/dev/vdb bs=1M count=64 2>/dev/null; sync')
    await driver.kill(ref.serverId)
    await events.until('exited', ref.serverId)

    const restoreId = randomUUID()
    const { snapshotId, sizeBytes } = first
    await work({ do: 'stage', repository, snapshotId, restoreId, sizeBytes })
    await work({ do: 'swap', restoreId })
    const again = await boot(ref.serverId)
    // The guest may announce its address meanwhile.
    expect(await again.run(READ)).toContain('first-1')
    await work({ do: 'settle', restoreId })
  })

  test('become a clone, which boots beside the original with an identity of its own', async () => {
    const { driver, node } = fixture
    const copy = { serverId: 'clone', generation: 1, run: 1 }
    const spec = fixture.spec('run', { disks: DISKS })
    await driver.installer.install(copy, spec, none, signal)
    await driver.apply(copy, spec, none, signal)
    const restoreId = randomUUID()
    const { snapshotId, sizeBytes } = first
    await work({ do: 'stage', repository, snapshotId, restoreId, sizeBytes }, copy.serverId)
    await work({ do: 'swap', restoreId }, copy.serverId)
    await work({ do: 'settle', restoreId }, copy.serverId)
    const shell = await boot(copy.serverId)
    expect(await shell.run(READ)).toContain('first-1')
    const { output } = await node.run('virsh', ['-c', node.uri, 'list', '--uuid'])
    const running = output.trim().split(/\s+/)
    expect(running).toHaveLength(2)
    expect(running).toContain(spec.uuid)
    expect(await shell.run('cat /sys/class/net/eth0/address')).toContain(spec.network.mac)
    expect(await shell.run('cat /sys/class/dmi/id/product_uuid')).toContain(spec.uuid)
    for (const { serverId } of [ref, copy]) await driver.remove(serverId)
  })
})
