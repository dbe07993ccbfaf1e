import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { watchConsole, watchEvents } from '@lodge/driver/suite/watch.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BIOS_PROFILE, type LibvirtFixture, libvirtFixture, permit } from './testing/fixture.ts'
import { guestAgent, hears, LISTENS } from './testing/guest-agent.ts'
import { libvirtMissing } from './testing/node.ts'
import { type GuestShell, guestShell } from './testing/shell.ts'

const missing = await libvirtMissing()
const none = () => {}
const PATIENCE = { timeout: 60_000, interval: 200 }

/**
 * Programs an Intel 6300ESB watchdog as its driver would: sets both timers short, starts it and
 * never feeds it. Its registers must be unlocked before each write.
 */
const HANG = [
  'd=$(dirname $(grep -l 0x25ab /sys/bus/pci/devices/*/device))',
  'echo 1 > $d/enable',
  'at=$(head -n 1 $d/resource | cut -d " " -f 1)',
  'unlock() { devmem $((at + 12)) 16 0x80; devmem $((at + 12)) 16 0x86; }',
  'unlock; devmem $at 32 100; unlock; devmem $((at + 4)) 32 100',
  "printf '\\002' | dd of=$d/config bs=1 seek=104 conv=notrunc 2> /dev/null",
].join('; ')

/** Makes the guest ignore its power button. */
const DEAF =
  "printf '#!/bin/sh\\necho guest: power button > /dev/ttyS0\\n' > /etc/acpi/PWRF/00000080"

describe.runIf(missing === null)('a guest', { tags: 'long' }, () => {
  let fixture: LibvirtFixture
  let events: ReturnType<typeof watchEvents>
  const life = new AbortController()
  const signal = life.signal
  beforeAll(async () => {
    fixture = await libvirtFixture()
    events = watchEvents(fixture.driver, signal)
  })
  afterAll(async () => {
    life.abort()
    await fixture?.close()
  })

  const end = async (serverId: string) => (await events.until('exited', serverId)).exit
  async function boot(serverId: string): Promise<GuestShell> {
    const shell = guestShell(fixture.driver, serverId, signal)
    await fixture.driver.start(serverId, signal, permit())
    await shell.lines.until('guest: ready')
    await shell.lines.until('guest: address')
    return shell
  }
  async function made(serverId: string, program: string, change = {}) {
    const ref = { serverId, generation: 1, run: 1 }
    const spec = fixture.spec(program, change)
    await fixture.driver.installer.install(ref, spec, none, signal)
    await fixture.driver.apply(ref, spec, none, signal)
    return spec
  }
  it('whose TPM dies while it boots is lost, not silently stuck, and keeps what the TPM stored', async () => {
    const { uuid } = await made('no-tpm', 'run', { profile: { ...BIOS_PROFILE, tpm: true } })
    await fixture.driver.start('no-tpm', signal, permit())
    process.kill((await fixture.node.swtpmPid(uuid)) ?? 0, 'SIGKILL')
    expect(await end('no-tpm')).toMatchObject({ cause: 'lost' })
    const state = join(fixture.node.tpmFolder, uuid, 'tpm2', 'tpm2-00.permall')
    expect((await readFile(state)).length).toBeGreaterThan(1000)
    await fixture.driver.start('no-tpm', signal, permit())
    const lines = watchConsole(fixture.driver, 'no-tpm', signal)
    await lines.until('tpm=2')
    await fixture.driver.remove('no-tpm')
    await expect(readFile(state)).rejects.toThrow('ENOENT')
  })

  it.concurrent('that stops feeding its watchdog is distinguished from one that powers off', async () => {
    await made('hang', 'run')
    const shell = await boot('hang')
    await fixture.driver.console.write('hang', Buffer.from(`${HANG}\n`))
    const exit = await end('hang')
    expect(exit).toMatchObject({ code: 1, signal: null, cause: 'watchdog' })
    const [found] = (await fixture.driver.recover(signal)).filter(
      ({ serverId }) => serverId === 'hang',
    )
    expect(found).toMatchObject({ running: false, lastExit: exit })
    expect(shell.lines.text()).not.toContain('power button')
    await fixture.driver.remove('hang')
  })

  it.concurrent('is asked to power off through its agent, and through its button if that has no effect', async () => {
    // A third of the time is for an agent that accepted the request.
    const { uuid } = await made('asked', 'run', { stop: { by: 'agent', timeoutSeconds: 12 } })
    const shell = await boot('asked')
    await shell.run(DEAF)
    const pressed = async () => {
      const from = shell.lines.text().length
      await fixture.driver.signal('asked', 'SIGTERM')
      await shell.lines.until('guest: power button', from)
    }
    // With no agent, with an unresponsive one, and with one that accepts but is slow.
    await pressed()
    await shell.run(LISTENS)
    await vi.waitFor(async () => expect(await hears(fixture.node, uuid)).toBe(true), PATIENCE)
    await pressed()
    await shell.run(
      guestAgent({ 'guest-shutdown': 'until [ -e /run/go ]; do sleep 1; done; poweroff -f' }),
    )
    await pressed()
    await fixture.driver.console.write('asked', Buffer.from('touch /run/go\n'))
    // Repeats the request for a slow guest, as an impatient user would.
    await vi.waitFor(async () => {
      await fixture.driver.signal('asked', 'SIGTERM')
      expect(events.of('asked').map(({ kind }) => kind)).toContain('exited')
    }, PATIENCE)
    expect(await end('asked')).toMatchObject({ code: 0, signal: null, cause: 'shutdown' })
    expect(shell.lines.text()).toMatch(/guest: asked .*guest-shutdown/)
    await fixture.driver.remove('asked')
  })
})
