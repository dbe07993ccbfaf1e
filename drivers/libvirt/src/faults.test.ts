import { hash } from 'node:crypto'
import { appendFile, chmod, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type EventWatch, watchConsole, watchEvents } from '@lodge/driver/suite/watch.ts'
import type { MediumRef } from '@lodge/shared/machine-spec.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { METADATA_PREFIX, METADATA_URI, readRecord, recordText } from './domain/record.ts'
import { openPort } from './port/port.ts'
import { BIOS_PROFILE, type LibvirtFixture, libvirtFixture, permit } from './testing/fixture.ts'
import { libvirtMissing } from './testing/node.ts'

const missing = await libvirtMissing()
const none = () => {}
const PATIENCE = { timeout: 90_000, interval: 100 }
const PAUSED_BY_USER = { state: 3, reason: 1 }
const SNAPSHOT = '00000000-0000-4000-8000-000000000001'

describe.runIf(missing === null)('the libvirt driver under failures', () => {
  let fixture: LibvirtFixture
  let events: EventWatch
  const life = new AbortController()
  const { signal } = life
  const offered = new Map<string, Buffer>()
  const granted: string[] = []
  beforeAll(async () => {
    fixture = await libvirtFixture({
      openMedium: async (medium, offset) => {
        const bytes = offered.get(medium.sha256)
        if (!bytes) throw new Error('nobody answers')
        return { offset, body: Readable.from([bytes.subarray(offset)]) }
      },
      guard: {
        missing: async () => null,
        grant: async (uuid) => void granted.push(uuid),
        revoke: async () => {},
      },
    })
    events = watchEvents(fixture.driver, signal)
  })
  afterAll(async () => {
    life.abort()
    await fixture?.close()
  })

  const refOf = (serverId: string) => ({ serverId, generation: 1, run: 1 })
  const found = async (serverId: string) =>
    (await fixture.driver.recover(signal)).find((one) => one.serverId === serverId)
  async function made(serverId: string, program = 'run', change = {}) {
    const spec = fixture.spec(program, change)
    await fixture.driver.installer.install(refOf(serverId), spec, none, signal)
    await fixture.driver.apply(refOf(serverId), spec, none, signal)
    return spec
  }
  const start = (serverId: string) => fixture.driver.start(serverId, signal, permit())
  const resets = () => events.seen.filter(({ kind }) => kind === 'reset').length

  it('survives the death of libvirtd and of the child process', async () => {
    const { uuid } = await made('steady')
    const lines = watchConsole(fixture.driver, 'steady', signal)
    await start('steady')
    expect(granted).toContain(uuid)
    await lines.until('guest: ready')
    const before = await found('steady')
    // One more if the driver subscribed only after this test did.
    const resetsBefore = resets()

    await fixture.node.killLibvirtd()
    await expect(fixture.driver.recover(signal)).rejects.toMatchObject({
      code: 'runtime_unavailable',
      retryable: true,
    })
    expect(await fixture.driver.probe(signal)).toMatchObject({ ok: false })
    // The serial console does not pass through libvirt.
    await fixture.driver.console.write('steady', Buffer.from("echo still ''here\n"))
    await lines.until('still here')
    await fixture.node.startLibvirtd()
    await vi.waitFor(() => expect(resets()).toBe(resetsBefore + 1), PATIENCE)
    expect(await found('steady')).toEqual(before)

    // QEMU dies: an unrequested exit.
    process.kill((await fixture.node.qemuPid(uuid)) ?? 0, 'SIGKILL')
    const { exit } = await events.until('exited', 'steady')
    expect(exit).toMatchObject({ cause: 'lost', code: null, signal: null })
    expect((await found('steady'))?.lastExit).toEqual(exit)
    await start('steady')
    expect(await found('steady')).toMatchObject({ running: true, lastExit: null })

    // And again while libvirtd is down.
    await fixture.node.killLibvirtd()
    process.kill((await fixture.node.qemuPid(uuid)) ?? 0, 'SIGKILL')
    await fixture.node.startLibvirtd()
    await vi.waitFor(() => expect(resets()).toBe(resetsBefore + 2), PATIENCE)
    await vi.waitFor(
      async () => expect(await found('steady')).toMatchObject({ running: false }),
      PATIENCE,
    )
    const again = await found('steady')
    expect(again?.lastExit).toMatchObject({ cause: 'lost' })
    expect(await found('steady')).toEqual(again)
    await fixture.driver.remove('steady')
  })

  it('leaves no half-started machine when libvirtd dies during a start', {
    tags: 'long',
  }, async () => {
    await made('middle')
    for (const waitMs of [5, 250, 500]) {
      const starting = start('middle').catch((error: unknown) => error)
      await new Promise((resolve) => setTimeout(resolve, waitMs))
      await fixture.node.killLibvirtd()
      const outcome = await starting
      const before = resets()
      await fixture.node.startLibvirtd()
      await vi.waitFor(() => fixture.driver.recover(signal), PATIENCE)
      const state = await found('middle')
      if (outcome === undefined) expect(state?.running).toBe(true)
      else expect(outcome).toMatchObject({ retryable: true })
      await fixture.driver.kill('middle')
      await vi.waitFor(() => expect(resets()).toBeGreaterThan(before - 1), PATIENCE)
      await vi.waitFor(
        async () => expect(await found('middle')).toMatchObject({ running: false }),
        PATIENCE,
      )
    }
    await start('middle')
    expect(await found('middle')).toMatchObject({ running: true })
    await fixture.driver.remove('middle')
  })

  it('leaves no paused guest when libvirtd dies before resuming it', { tags: 'long' }, async () => {
    const { uuid } = await made('held')
    const own = openPort({ uri: fixture.node.uri, connections: 1 })
    const isPaused = async () => {
      const { state, reason } = await own.call('domain', uuid)
      return state === PAUSED_BY_USER.state && reason === PAUSED_BY_USER.reason
    }
    let hits = 0
    for (let attempt = 0; attempt < 8 && hits === 0; attempt += 1) {
      const starting = start('held').then(
        () => true,
        () => false,
      )
      await vi.waitFor(async () => expect(await isPaused()).toBe(true), {
        timeout: 30_000,
        interval: 5,
      })
      await fixture.node.killLibvirtd()
      const started = await starting
      await fixture.node.startLibvirtd()
      await vi.waitFor(() => fixture.driver.recover(signal), PATIENCE)
      await vi.waitFor(isPaused, PATIENCE)
      expect(await isPaused()).toBe(false)
      if (!started) hits += 1
      await fixture.driver.kill('held')
      await vi.waitFor(
        async () => expect(await found('held')).toMatchObject({ running: false }),
        PATIENCE,
      )
    }
    expect(hits).toBe(1)
    await own.close()
    const lines = watchConsole(fixture.driver, 'held', signal)
    await start('held')
    await lines.until('guest: ready')
    await fixture.driver.remove('held')
  })

  it('tells no exit of a start that an agent left before the guest ran', {
    tags: 'long',
  }, async () => {
    const { uuid } = await made('left')
    await start('left')
    await fixture.driver.kill('left')
    await events.until('exited', 'left')
    const own = openPort({ uri: fixture.node.uri, connections: 1 })
    // As a start leaves it: recorded, and its process there.
    const record = readRecord((await own.call('domain', uuid)).xml)
    if (!record) throw new Error('the machine has no record')
    const left = recordText({ ...record, startedAt: new Date(), held: true, lastExit: null })
    await own.call('setMetadata', uuid, left, METADATA_PREFIX, METADATA_URI)
    await own.call('startPaused', uuid)
    await own.close()
    for (const _ of [1, 2])
      expect(await found('left')).toMatchObject({ exists: true, running: false, lastExit: null })
    await start('left')
    expect(await found('left')).toMatchObject({ running: true, lastExit: null })
    await fixture.driver.kill('left')
    await events.until('exited', 'left')
    const told = events.of('left').map(({ kind }) => kind)
    expect(told).toEqual(['started', 'exited', 'started', 'started', 'exited'])
    await fixture.driver.remove('left')
  })

  it('keeps what a guest printed while nothing was connected to its serial console', {
    tags: 'long',
  }, async () => {
    await made('alone')
    const lines = watchConsole(fixture.driver, 'alone', signal)
    await start('alone')
    await lines.until('guest: ready')
    const counting = 'i=0; while :; do i=$((i+1)); echo count $i; usleep 50000; done\n'
    await fixture.driver.console.write('alone', Buffer.from(counting))
    await lines.until('count 5\n')
    const log = join(fixture.driver.dataFolder('alone'), 'serial.log')
    const counts = (all: readonly string[]) =>
      all.flatMap((line) => /count (\d+)$/.exec(line.trim())?.[1] ?? []).map(Number)
    await fixture.driver.close()
    const goneAt = Math.max(...counts((await readFile(log, 'utf8')).split('\n')))
    await vi.waitFor(async () => {
      expect(await readFile(log, 'utf8')).toContain(`count ${goneAt + 20}\n`)
    }, PATIENCE)
    const driver = await fixture.again()
    await driver.recover(signal)
    await watchConsole(driver, 'alone', signal).until('count ')
    const kept = counts(await driver.console.tail('alone', 1000, 'run'))
    expect(kept.length).toBeGreaterThan(goneAt + 20)
    expect(kept).toEqual(kept.map((_, index) => index + 1))

    // Trims a log that nothing else rotates.
    await appendFile(log, Buffer.alloc(8 * 1024 * 1024, 'old line\n'))
    const again = await fixture.again()
    await again.recover(signal)
    await vi.waitFor(async () => expect((await stat(log)).size).toBeLessThan(1024 * 1024), PATIENCE)
    const newest = Math.max(...counts(await again.console.tail('alone', 1000, 'run')))
    await vi.waitFor(async () => {
      const now = counts(await again.console.tail('alone', 1000, 'run'))
      expect(now.length).toBeGreaterThan(20)
      expect(Math.max(...now)).toBeGreaterThan(newest)
    }, PATIENCE)
    const text = await readFile(log, 'utf8')
    expect(text).not.toContain('\0')
    await again.remove('alone')
    events = watchEvents(again, signal)
  })

  it('keeps the state of a TPM whose process was killed', { tags: 'long' }, async () => {
    const { uuid } = await made('tpm', 'run', { profile: { ...BIOS_PROFILE, tpm: true } })
    const lines = watchConsole(fixture.driver, 'tpm', signal)
    await start('tpm')
    await lines.until('tpm=2')
    process.kill((await fixture.node.swtpmPid(uuid)) ?? 0, 'SIGKILL')
    await fixture.driver.kill('tpm')
    await vi.waitFor(
      async () => expect(await found('tpm')).toMatchObject({ running: false }),
      PATIENCE,
    )
    const state = join(fixture.node.tpmFolder, uuid, 'tpm2', 'tpm2-00.permall')
    const kept = await readFile(state)
    await start('tpm')
    await lines.until('tpm=2', lines.text().length)
    expect(kept.length).toBeGreaterThan(1000)
    await fixture.driver.remove('tpm')
    await expect(readFile(state)).rejects.toThrow('ENOENT')
  })

  it('never replaces a missing disk with an empty one', async () => {
    const spec = await made('gone')
    const disk = join(fixture.driver.dataFolder('gone'), 'disks/system.qcow2')
    await rename(disk, `${disk}.hidden`)
    const refusal = { code: 'disk_missing' }
    await expect(fixture.driver.apply(refOf('gone'), spec, none, signal)).rejects.toMatchObject(
      refusal,
    )
    await expect(start('gone')).rejects.toMatchObject(refusal)
    await rename(`${disk}.hidden`, disk)
    await fixture.driver.apply(refOf('gone'), spec, none, signal)
    await fixture.driver.remove('gone')
  })

  it('does not boot a disk whose header references another file', async () => {
    await made('sly')
    const disk = join(fixture.driver.dataFolder('sly'), 'disks/system.qcow2')
    const bytes = await readFile(disk)
    bytes.writeBigUInt64BE(0x200n, 8)
    bytes.writeUInt32BE(11, 16)
    bytes.write('/etc/shadow', 0x200)
    await writeFile(disk, bytes)
    await expect(start('sly')).rejects.toMatchObject({
      code: 'medium_invalid',
      message: expect.stringContaining('another file'),
    })
    await fixture.driver.remove('sly')
  })

  it('treats a disk as raw content, whatever a guest writes to its start', async () => {
    const spec = await made('disguise', 'run', {
      disks: [
        { id: 'system', sizeMb: 32 },
        { id: 'data', sizeMb: 4 },
      ],
    })
    const lines = watchConsole(fixture.driver, 'disguise', signal)
    await start('disguise')
    await lines.until('guest: ready')
    // A complete qcow2 header of version 2 with a backing file on the node.
    const header = Buffer.alloc(112)
    header.write('QFI\xfb', 0, 'latin1')
    header.writeUInt32BE(2, 4)
    header.writeBigUInt64BE(100n, 8)
    header.writeUInt32BE(11, 16)
    header.writeUInt32BE(16, 20)
    header.writeBigUInt64BE(2n ** 40n, 24)
    header.write('/etc/shadow', 100)
    const octal = [...header].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('')
    await fixture.driver.console.write(
      'disguise',
      Buffer.from(
        `printf '${octal}' | dd of=/dev/vdb conv=notrunc 2>/dev/null; sync; echo do''ne\n`,
      ),
    )
    await lines.until('done')
    await fixture.driver.kill('disguise')
    await events.until('exited', 'disguise')
    const { diskMb } = await fixture.driver.snapshots.create('disguise', SNAPSHOT, none, signal)
    expect(diskMb).toBe(36)
    const from = lines.text().length
    await fixture.driver.apply(refOf('disguise'), spec, none, signal)
    await start('disguise')
    await lines.until('guest: disk vdb mib=4', from)
    await fixture.driver.remove('disguise')
  })

  it('refuses a damaged snapshot and leaves the machine unchanged', async () => {
    await made('damaged')
    await fixture.driver.snapshots.create('damaged', SNAPSHOT, none, signal)
    const folder = fixture.driver.dataFolder('damaged')
    const file = join(folder, 'snapshots', SNAPSHOT, 'disk-system.qcow2')
    const bytes = await readFile(file)
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1)
    await chmod(file, 0o600)
    await writeFile(file, bytes)
    const disk = join(folder, 'disks/system.qcow2')
    const before = hash('sha256', await readFile(disk))
    const work = fixture.driver.snapshots.restore('damaged', SNAPSHOT, none, signal)
    await expect(work).rejects.toMatchObject({ code: 'copy_damaged' })
    expect(hash('sha256', await readFile(disk))).toBe(before)
    // An interrupted one leaves nothing behind.
    const stop = new AbortController()
    const cut = '00000000-0000-4000-8000-000000000002'
    const half = fixture.driver.snapshots.create('damaged', cut, () => stop.abort(), stop.signal)
    await expect(half).rejects.toThrow()
    expect(await readdir(join(folder, 'snapshots'))).toEqual([SNAPSHOT])
    await fixture.driver.remove('damaged')
  })

  it('does not start a machine after an interrupted installation until it is repeated', async () => {
    const spec = await made('cut')
    const stop = new AbortController()
    const work = fixture.driver.installer.install(
      refOf('cut'),
      spec,
      ({ step }) => step === 'install' && stop.abort(),
      stop.signal,
    )
    await expect(work).rejects.toThrow()
    await expect(start('cut')).rejects.toMatchObject({ code: 'start_failed' })
    await fixture.driver.installer.install(refOf('cut'), spec, none, signal)
    await start('cut')
    await fixture.driver.remove('cut')
  })

  it('refuses a medium that does not match its reference', async () => {
    const { media, virtualization } = fixture.driver
    const bytes = Buffer.alloc(3_000_000, 'lodge')
    const medium: MediumRef = {
      sha256: hash('sha256', bytes),
      url: 'https://media.test/x',
      kind: 'raw',
      sizeBytes: bytes.length,
    }
    await expect(media.cache(medium, none, signal)).rejects.toMatchObject({
      code: 'medium_unavailable',
      retryable: true,
    })
    offered.set(medium.sha256, bytes.subarray(0, 1_000_000))
    await expect(media.cache(medium, none, signal)).rejects.toMatchObject({
      code: 'medium_unavailable',
    })
    offered.set(medium.sha256, Buffer.alloc(bytes.length, 'other'))
    await expect(media.cache(medium, none, signal)).rejects.toMatchObject({
      code: 'medium_invalid',
    })
    offered.set(medium.sha256, Buffer.concat([bytes, bytes]))
    await expect(media.cache(medium, none, signal)).rejects.toMatchObject({
      code: 'medium_invalid',
    })
    offered.set(medium.sha256, bytes)
    await expect(media.cache({ ...medium, kind: 'iso' }, none, signal)).rejects.toMatchObject({
      code: 'medium_invalid',
    })
    await Promise.all([media.cache(medium, none, signal), media.cache(medium, none, signal)])
    const there = async () =>
      (await virtualization.report(signal)).media.some((one) => one.sha256 === medium.sha256)
    expect(await there()).toBe(true)
    await media.drop(medium.sha256)
    expect(await there()).toBe(false)
    await rm(join(fixture.options.mediaFolder, `${medium.sha256}.part`), { force: true })
  })
})
