import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { WINDOWS_11 } from '../../../control-plane/src/domains/virtualization/profiles/built-in.ts'
import { type ConsoleWatch, watchConsole } from '../../../drivers/contract/src/suite/watch.ts'
import {
  type LibvirtFixture,
  libvirtFixture,
  permit,
} from '../../../drivers/libvirt/src/testing/fixture.ts'
import { buildSignedIso } from '../../../drivers/libvirt/src/testing/guest/signed.ts'
import { libvirtMissing } from '../../../drivers/libvirt/src/testing/node.ts'
import { unpackedPackages } from '../../../drivers/libvirt/src/testing/packages.ts'
import { type TextReader, textReader } from '../../../drivers/libvirt/src/testing/screen-text.ts'
import { lookAt } from '../../../drivers/libvirt/src/testing/viewer.ts'
import type { MachineSpec, MediumRef } from '../../../shared/src/machine-spec.ts'

const missing = await libvirtMissing()
const none = () => {}
const PATIENCE = { timeout: 200_000, interval: 250 }
/** The keysym of a letter is its character code. */
const KEY_C = 0x63

describe('third-party boot media', { tags: 'long' }, () => {
  it(missing === null ? 'libvirt is available for the test' : `skipped: ${missing}`, () => {
    if (process.env.CI) expect(missing).toBeNull()
  })
  if (missing !== null) return

  let fixture: LibvirtFixture
  let root: string
  let folder: string
  let letters: TextReader
  const life = new AbortController()
  const signal = life.signal
  const files = new Map<string, string>()
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodge-media-'))
    letters = await textReader()
    root = await unpackedPackages(['memtest86+', 'ipxe', 'grub-rescue-pc'])
    fixture = await libvirtFixture({
      openMedium: async ({ sha256 }, offset) => {
        const body = createReadStream(files.get(sha256) ?? '', { start: offset })
        return { offset, body }
      },
    })
  })
  afterAll(async () => {
    life.abort()
    await fixture?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function mediumOf(file: string): Promise<MediumRef> {
    const sha256 = createHash('sha256')
      .update(await readFile(file))
      .digest('hex')
    files.set(sha256, file)
    const { size } = await stat(file)
    return { sha256, url: 'https://media.test/image.iso', kind: 'iso', sizeBytes: size }
  }

  /** A machine with an empty disk that boots the medium in its drive; the medium is downloaded and verified. */
  async function booted(
    serverId: string,
    file: string,
    change: Partial<Record<keyof MachineSpec, unknown>> = {},
  ) {
    const { driver } = fixture
    const spec = fixture.spec('none', {
      source: { kind: 'blank' },
      medium: await mediumOf(file),
      bootOrder: ['cdrom', 'disk'],
      ...change,
    })
    const ref = { serverId, generation: 1, run: 1 }
    await driver.installer.install(ref, spec, none, signal)
    await driver.apply(ref, spec, none, signal)
    const lines = watchConsole(driver, serverId, signal)
    await driver.start(serverId, signal, permit())
    return { spec, lines }
  }

  /** Waits until the screen shows these words, and returns all text on it. */
  const screenWith = (serverId: string, words: RegExp, keys: readonly number[] = []) =>
    vi.waitFor(async () => {
      const screen = await fixture.driver.screen.open(serverId, signal)
      const text = letters.read(await lookAt(screen, keys))
      expect(text).toMatch(words)
      return text
    }, PATIENCE)

  // The built-in hardware for Windows 11, with less memory than Windows requires.
  const windows = { profile: WINDOWS_11, memoryMb: 512 }
  /** Emulated firmware takes a while to check signatures. */
  const prints = (lines: ConsoleWatch, words: RegExp) =>
    vi.waitFor(() => expect(lines.text()).toMatch(words), PATIENCE)

  it.concurrent('boot with Secure Boot enforced when they are signed', async () => {
    const iso = await buildSignedIso(fixture.guest, folder)
    const { lines } = await booted('signed', iso, windows)
    await prints(lines, /guest: booted firmware=uefi secure=yes tpm=2 /)
    await fixture.driver.remove('signed')
  })

  it.concurrent('are refused by Secure Boot when they are not signed', async () => {
    const { lines } = await booted('unsigned', fixture.guest.liveIso, windows)
    await prints(lines, /failed to load Boot0001 "UEFI QEMU DVD-ROM .*: Access Denied/)
    await prints(lines, /No bootable option or device was found/)
    expect(lines.text()).not.toContain('guest:')
    await fixture.driver.remove('unsigned')
  })

  it.concurrent('show memtest86+, which tests all memory of the machine', async () => {
    await booted('memtest', join(root, 'usr/lib/memtest86+/memtest86+x64.iso'))
    const text = await screenWith('memtest', /Testing: .* of 159MB\]/)
    expect(text).toMatch(/^ *Memtest86\+ v6\./)
    expect(text).toMatch(/^Memory *: +159MB/m)
    expect(text).toContain('Status: Testing')
    expect(text).toContain('Errors: 0')
    expect(text).toContain('QEMU Standard PC (Q35')
    await fixture.driver.remove('memtest')
  })

  it.concurrent('show iPXE, which finds the card and gets the address of the machine', async () => {
    const { spec } = await booted('ipxe', join(root, 'usr/lib/ipxe/ipxe.iso'))
    const { mac, address, gateway } = spec.network
    const text = await screenWith('ipxe', /^net0: [\d.]+\/255\.255\.255\.0 gw/m)
    expect(text).toMatch(/^iPXE 1\.0\.0.* -- Open Source Network Boot Firmware/m)
    expect(text).toContain(`net0: ${mac} using virtio-net`)
    expect(text).toContain(`net0: ${address}/255.255.255.0 gw ${gateway}`)
    await fixture.driver.remove('ipxe')
  })

  it.concurrent("show GRUB, whose menu responds to a viewer's keys", async () => {
    await booted('grub', join(root, 'usr/lib/grub-rescue/grub-rescue-cdrom.iso'))
    const menu = await screenWith('grub', /The highlighted entry will be executed/)
    expect(menu).toMatch(/^ *GNU GRUB +version 2\.06/m)
    expect(menu).toContain('OpenBSD')
    const prompt = await screenWith('grub', /^grub> /m, [KEY_C])
    expect(prompt).toContain('Minimal BASH-like line editing is supported')
    await fixture.driver.remove('grub')
  })
})
