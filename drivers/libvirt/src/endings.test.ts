import { watchEvents } from '@lodge/driver/suite/watch.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { libvirtMissing } from './testing/node.ts'
import { type LibvirtRig, libvirtRig, permit } from './testing/rig.ts'
import { type GuestShell, guestShell } from './testing/shell.ts'

const missing = await libvirtMissing()
const none = () => {}
const PATIENCE = { timeout: 60_000, interval: 200 }

/**
 * The Intel 6300ESB, written to as its driver would: both of its timers short, then it is let run and
 * nobody ever tells it that all is well. Its registers are unlocked for each write.
 */
const HANG = [
  'd=$(dirname $(grep -l 0x25ab /sys/bus/pci/devices/*/device))',
  'echo 1 > $d/enable',
  'at=$(head -n 1 $d/resource | cut -d " " -f 1)',
  'unlock() { devmem $((at + 12)) 16 0x80; devmem $((at + 12)) 16 0x86; }',
  'unlock; devmem $at 32 100; unlock; devmem $((at + 4)) 32 100',
  "printf '\\002' | dd of=$d/config bs=1 seek=104 conv=notrunc 2> /dev/null",
].join('; ')

/**
 * An agent in the guest that speaks QEMU's protocol on its channel and does `order` when it is told to
 * power off; what it is asked stands on the serial line.
 */
const agent = (order: string) =>
  [
    'port=$(dirname $(grep -l org.qemu.guest_agent.0 /sys/class/virtio-ports/*/name))',
    'exec 4<> /dev/$(basename $port)',
    '(while read -r line <&4; do',
    'echo "guest: asked $line" > /dev/ttyS0',
    'case "$line" in',
    `*guest-sync*) id=\${line##*:}; printf '{"return": %s}\\n' "\${id%%\\}*}" >&4 ;;`,
    `*guest-shutdown*) ${order} ;;`,
    'esac; done) & true',
  ].join('\n')

describe.runIf(missing === null)('a guest', { timeout: 300_000 }, () => {
  let rig: LibvirtRig
  let events: ReturnType<typeof watchEvents>
  const life = new AbortController()
  const signal = life.signal
  beforeAll(async () => {
    rig = await libvirtRig()
    events = watchEvents(rig.driver, signal)
  }, 180_000)
  afterAll(async () => {
    life.abort()
    await rig?.close()
  }, 60_000)

  const ends = new Map<string, number>()
  async function end(serverId: string) {
    ends.set(serverId, (ends.get(serverId) ?? 0) + 1)
    return (await events.until('exited', serverId, ends.get(serverId))).exit
  }
  async function boot(serverId: string): Promise<GuestShell> {
    const shell = guestShell(rig.driver, serverId, signal)
    await rig.driver.start(serverId, signal, permit())
    await shell.lines.until('guest: ready')
    await shell.lines.until('guest: address')
    return shell
  }
  async function made(serverId: string, program: string, change = {}) {
    const ref = { serverId, generation: 1, run: 1 }
    const spec = rig.spec(program, change)
    await rig.driver.install(ref, spec, none, signal)
    await rig.driver.apply(ref, spec, none, signal)
    return spec
  }
  /** Waits until libvirt has heard that somebody in the guest listens to the channel of agents. */
  const heard = (uuid: string) =>
    vi.waitFor(async () => {
      const { output } = await rig.node.run('virsh', ['dumpxml', uuid])
      expect(output).toMatch(/org\.qemu\.guest_agent\.0' state='connected'/)
    }, PATIENCE)
  const stop = (timeoutSeconds: number) => ({ stop: { by: 'agent', timeoutSeconds } })

  it.concurrent('that stops answering its watchdog is told from one that powers off', async () => {
    await made('hang', 'run')
    const shell = await boot('hang')
    await rig.driver.console.write('hang', Buffer.from(`${HANG}\n`))
    const exit = await end('hang')
    expect(exit).toMatchObject({ code: 1, signal: null, cause: 'watchdog' })
    const [found] = (await rig.driver.recover(signal)).filter(({ serverId }) => serverId === 'hang')
    expect(found).toMatchObject({ running: false, lastExit: exit })
    expect(shell.lines.text()).not.toContain('power button')
    await rig.driver.remove('hang')
  })

  it.concurrent('is powered off by its agent, or by its button where no agent does it', async () => {
    // A third of its time is for whoever took the order and does nothing.
    const { uuid } = await made('asked', 'run', stop(12))
    const first = await boot('asked')
    await first.run('touch /run/deaf')
    await first.run(agent('poweroff -f'))
    await heard(uuid)
    await rig.driver.signal('asked', 'SIGTERM')
    expect(await end('asked')).toMatchObject({ code: 0, cause: 'shutdown' })
    expect(first.lines.text()).toMatch(/guest: asked .*guest-shutdown/)
    expect(first.lines.text()).not.toContain('power button')

    const idle = await boot('asked')
    await idle.run(agent('true'))
    await heard(uuid)
    await rig.driver.signal('asked', 'SIGTERM')
    expect(await end('asked')).toMatchObject({ code: 0, cause: 'shutdown' })
    expect(idle.lines.text()).toMatch(/guest: asked .*guest-shutdown.*guest: power button/s)
    await rig.driver.remove('asked')
  })

  it.concurrent('with no agent, or with one that is silent, is asked by its button', async () => {
    const { uuid } = await made('button', 'run', stop(60))
    const bare = await boot('button')
    await rig.driver.signal('button', 'SIGTERM')
    expect(await end('button')).toMatchObject({ code: 0, cause: 'shutdown' })
    expect(bare.lines.text()).toContain('guest: power button')

    const silent = await boot('button')
    await silent.run(
      'exec 4<> /dev/$(basename $(dirname $(grep -l org.qemu.guest_agent.0 /sys/class/virtio-ports/*/name)))',
    )
    await heard(uuid)
    await rig.driver.signal('button', 'SIGTERM')
    expect(await end('button')).toMatchObject({ code: 0, cause: 'shutdown' })
    expect(silent.lines.text()).toContain('guest: power button')
    await rig.driver.remove('button')
  })
})
