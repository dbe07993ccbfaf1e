import { once } from 'node:events'
import { inflateSync } from 'node:zlib'
import { watchEvents } from '@lodge/driver/suite/watch.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type LibvirtFixture, libvirtFixture, permit, UEFI_PROFILE } from './testing/fixture.ts'
import { libvirtMissing } from './testing/node.ts'
import { guestShell } from './testing/shell.ts'

const missing = await libvirtMissing()
const none = () => {}
const SNAPSHOT = '00000000-0000-4000-8000-000000000001'
const VARIABLES = '/sys/firmware/efi/efivars'
const NAMESPACE = '12345678-1234-1234-1234-123456789abc'

/** A session without a password, which every command on owned TPM data needs. */
const SESSION = '00000009400000090000000000'

/** A node for one guest, shared by the tests around it. */
function guestNamed(serverId: string) {
  const life = new AbortController()
  let fixture: LibvirtFixture | undefined
  beforeAll(async () => {
    fixture = await libvirtFixture()
  })
  afterAll(async () => {
    life.abort()
    await fixture?.close()
  })
  return {
    signal: life.signal,
    ref: { serverId, generation: 1, run: 1 },
    fixture() {
      if (!fixture) throw new Error('there is no node')
      return fixture
    },
  }
}

describe.runIf(missing === null)('a guest with firmware and a TPM', () => {
  const { fixture: opened, signal, ref } = guestNamed('whole')

  it('is restored from a snapshot with disk, variables and TPM', { tags: 'long' }, async () => {
    const fixture = opened()
    const { driver } = fixture
    const events = watchEvents(driver, signal)
    const shell = guestShell(driver, 'whole', signal)
    const spec = fixture.spec('none', {
      profile: UEFI_PROFILE,
      memoryMb: 256,
      disks: [
        { id: 'system', sizeMb: 40 },
        { id: 'data', sizeMb: 8 },
      ],
    })
    let ends = 0
    const off = async () => {
      ends += 1
      return (await events.until('exited', 'whole', ends)).exit
    }
    const boot = async () => {
      const before = shell.lines.text().length
      await driver.start('whole', signal, permit())
      await shell.lines.until('guest: ready', before)
      // Until it has an address the guest keeps printing, which would mix with our answers.
      await shell.lines.until('guest: address', before)
      return shell.lines.text().slice(before)
    }
    const shutDown = async () => {
      await driver.signal('whole', 'SIGTERM')
      expect(await off()).toMatchObject({ cause: 'shutdown' })
    }

    await driver.installer.install(ref, spec, none, signal)
    await driver.apply(ref, spec, none, signal)
    const first = await boot()
    expect(first).toMatch(/guest: booted firmware=uefi secure=no tpm=2 cpus=1/)
    expect(first).toMatch(/guest: disk vda mib=40/)
    expect(first).toMatch(/guest: disk vdb mib=8/)
    expect(litPixels(await driver.screen.capture('whole', signal))).toBeGreaterThan(100)

    const tpm = async (command: string) =>
      shell.run(
        `printf '${command.replaceAll(/../g, '\\x$&')}' > /tmp/q; (cat /tmp/q >&3; dd bs=512 count=1 <&3 2>/dev/null) 3<>/dev/tpm0 | od -An -tx1 | tr -d ' \\n'`,
      )
    const write = async (text: string) => {
      await shell.run(`printf '${text}' | dd of=/dev/vdb bs=512 conv=notrunc 2>/dev/null; sync`)
      // Each text is a separate variable: the kernel makes unknown ones immutable.
      await shell.run(`printf '\\007\\000\\000\\000x' > ${VARIABLES}/${text}-${NAMESPACE}`)
      const bytes = Buffer.from(text).toString('hex')
      // TPM2_NV_Write of eight bytes.
      const answer = await tpm(`80020000002b000001374000000101500001${SESSION}0008${bytes}0000`)
      expect(answer).toMatch(/^8002.{8}00000000/)
    }
    const read = async () => ({
      disk: await shell.run('dd if=/dev/vdb bs=8 count=1 2>/dev/null'),
      variable: await shell.run(`ls ${VARIABLES} | grep ^lodge- | cut -c1-8 | tail -n 1`),
      // TPM2_NV_Read of eight bytes: header, sizes, then the data.
      tpm: Buffer.from(
        (await tpm(`8002000000230000014e4000000101500001${SESSION}00080000`)).slice(32, 48),
        'hex',
      ).toString(),
    })
    // TPM2_NV_DefineSpace: eight bytes for any owner.
    const made = await tpm(
      `80020000002d0000012a40000001${SESSION}0000000e01500001000b0006000600000008`,
    )
    expect(made).toMatch(/^8002.{8}00000000/)
    await write('lodge-01')
    const before = await read()
    expect(before).toEqual({ disk: 'lodge-01', variable: 'lodge-01', tpm: 'lodge-01' })
    await shutDown()

    const snapshot = await driver.snapshots.create('whole', SNAPSHOT, none, signal)
    expect(snapshot).toMatchObject({ diskMb: 48, has: { firmware: true, tpm: true } })
    expect(snapshot.sizeBytes).toBeGreaterThan(1024 * 1024)
    await boot()
    await write('lodge-02')
    expect(await read()).toEqual({ disk: 'lodge-02', variable: 'lodge-02', tpm: 'lodge-02' })
    await shutDown()

    await driver.snapshots.restore('whole', SNAPSHOT, none, signal)
    await boot()
    expect(await read()).toEqual(before)
    const space = await driver.diskUsage.measure('whole')
    expect(space.snapshotBytes).toBeGreaterThan(0)
    expect(space.disks.map(({ id }) => id)).toEqual(['system', 'data'])
    await driver.kill('whole')
    expect(await off()).toMatchObject({ cause: 'ended' })
  })
})

describe.runIf(missing === null)('a running guest', () => {
  const { fixture: opened, signal, ref } = guestNamed('live')

  it('accepts a new medium, new limits and a viewer without a restart', async () => {
    const fixture = opened()
    const { driver, media, node } = fixture
    const virsh = async (...args: string[]) =>
      (await node.run('virsh', ['-c', node.uri, ...args])).output
    // Less CPU than its vCPUs could use; it runs even where the kernel cannot limit it.
    const spec = fixture.spec('run', { cpuPercent: 50, vcpus: 1 })
    await driver.installer.install(ref, spec, none, signal)
    await driver.apply(ref, spec, none, signal)
    const shell = guestShell(driver, 'live', signal)
    await driver.start('live', signal, permit())
    await shell.lines.until('guest: ready')

    const limits = {
      readIops: 70,
      writeIops: 0,
      readBytesPerSecond: 0,
      writeBytesPerSecond: 900_000,
    }
    const changed = {
      ...spec,
      medium: media.live,
      cpuPercent: 100,
      disks: spec.disks.map((disk) => ({ ...disk, limits })),
    }
    const { restartRequired } = await driver.apply(ref, changed, none, signal)
    expect(restartRequired).toBe(false)
    expect(await virsh('domblklist', spec.uuid)).toContain(media.live.sha256)
    const tuned = await virsh('blkdeviotune', spec.uuid, 'vda')
    expect(tuned).toMatch(/read_iops_sec\s*: 70/)
    expect(tuned).toMatch(/write_bytes_sec\s*: 900000/)
    await expect(driver.media.drop(media.live.sha256)).resolves.toBeUndefined()
    const kept = (await driver.virtualization.report(signal)).media.map(({ sha256 }) => sha256)
    expect(kept).toContain(media.live.sha256)
    await driver.apply(ref, { ...changed, medium: null }, none, signal)
    expect(await virsh('domblklist', spec.uuid)).not.toContain(media.live.sha256)

    // Two viewers at once, each with its own handshake.
    for (const screen of await Promise.all([
      driver.screen.open('live', signal),
      driver.screen.open('live', signal),
    ])) {
      const [hello] = await once(screen, 'data')
      expect(String(hello)).toBe('RFB 003.008\n')
      screen.destroy()
    }
    expect(litPixels(await driver.screen.capture('live', signal))).toBeGreaterThan(100)
    await driver.kill('live')
    await vi.waitFor(async () => {
      await expect(driver.screen.open('live', signal)).rejects.toMatchObject({
        code: 'not_running',
      })
    })
  })
})

/** Number of bytes in the picture that are not black. */
function litPixels(png: Uint8Array): number {
  const bytes = Buffer.from(png)
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG')
  const parts: Buffer[] = []
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at)) {
    if (bytes.toString('latin1', at + 4, at + 8) === 'IDAT')
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)))
  }
  return inflateSync(Buffer.concat(parts)).reduce((sum, byte) => sum + (byte > 8 ? 1 : 0), 0)
}
