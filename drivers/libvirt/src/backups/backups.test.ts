import { randomUUID } from 'node:crypto'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import { watchEvents } from '@lodge/driver/suite/watch.ts'
import { warningText } from '@lodge/shared/driver-warnings.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type LibvirtFixture, libvirtFixture, permit } from '../testing/fixture.ts'
import { answers, guestAgent, hears, LISTENS } from '../testing/guest-agent.ts'
import { killedAt } from '../testing/killed.ts'
import { libvirtMissing } from '../testing/node.ts'
import { guestShell } from '../testing/shell.ts'

const missing = await libvirtMissing()
const none = () => {}
const PATIENCE = { timeout: 30_000, interval: 100 }
/** An order of the guest agent that refuses. */
const REFUSES = `printf '{"error": {"class": "GenericError", "desc": "busy"}}\\n' >&4`
const READ = 'dd if=/dev/vdb bs=8 count=1 2>/dev/null'
const DISKS = [
  { id: 'system', sizeMb: 32 },
  { id: 'data', sizeMb: 96 },
]

describe.runIf(missing === null)('backups of a machine', () => {
  const life = new AbortController()
  const { signal } = life
  const ref = { serverId: 'kept', generation: 1, run: 1 }
  let fixture: LibvirtFixture
  let kept: string
  beforeAll(async () => {
    fixture = await libvirtFixture()
    kept = await mkdtemp(join(tmpdir(), 'lodge-kept-'))
  })
  afterAll(async () => {
    life.abort()
    await fixture?.close()
    await rm(kept, { recursive: true, force: true })
  })

  async function backUp(name: string) {
    const frozen = await fixture.driver.backups.freeze(ref.serverId, none, signal)
    await cp(frozen?.folder ?? '', join(kept, name), { recursive: true })
    await frozen?.release()
    return frozen?.takenWhileRunning
  }
  async function stageFrom(name: string) {
    const restoreId = randomUUID()
    const { backups } = fixture.driver
    const staged = await backups.stage(ref.serverId, restoreId, 1, signal)
    await cp(join(kept, name), staged, { recursive: true })
    await backups.complete(ref.serverId, restoreId, signal)
    return restoreId
  }
  const disks = () => readdir(join(fixture.options.dataRoot, ref.serverId))

  it('are of one moment while the guest writes on, and come back whole', async () => {
    const { driver } = fixture
    const spec = fixture.spec('run', { disks: DISKS })
    await driver.installer.install(ref, spec, none, signal)
    await driver.apply(ref, spec, none, signal)
    const events = watchEvents(driver, signal)
    const shell = guestShell(driver, ref.serverId, signal)
    await driver.start(ref.serverId, signal, permit())
    await shell.lines.until('guest: ready')
    const write = (text: string) =>
      shell.run(`printf '${text}' | dd of=/dev/vdb bs=512 conv=notrunc 2>/dev/null; sync`)
    await shell.run('dd if=/dev/urandom of=/dev/vdb bs=1M seek=8 count=24 2>/dev/null; sync')
    await write('marker-1')
    expect(await backUp('first')).toBe(true)
    await write('marker-2')
    expect(await backUp('second')).toBe(true)
    expect(await disks()).not.toContain('backup')
    // With a guest agent, the guest is quiet at that moment, and goes on.
    await shell.run(LISTENS)
    await vi.waitFor(async () => expect(await hears(fixture.node, spec.uuid)).toBe(true), PATIENCE)
    await shell.run(guestAgent({ 'fsfreeze-freeze': answers(1), 'fsfreeze-thaw': answers(1) }))
    expect(await backUp('quiet')).toBe(false)
    expect(shell.lines.text()).toMatch(/fsfreeze-freeze.*fsfreeze-thaw/s)
    // The next copy differs only where the disk does.
    const [one, other] = await Promise.all(
      ['first', 'second'].map((name) => readFile(join(kept, name, 'disk-data.qcow2'))),
    )
    expect(other?.length).toBe(one?.length)
    expect(one?.length).toBeLessThan(30 * 1024 * 1024)
    const changed = one?.filter((byte, at) => byte !== other?.[at]).length
    expect(changed).toBe(1)

    await driver.kill(ref.serverId)
    await events.until('exited', ref.serverId)
    expect(await backUp('stopped')).toBe(false)
    const stopped = await readFile(join(kept, 'stopped', 'disk-data.qcow2'))
    expect(other && stopped.equals(other)).toBe(true)

    const restoreId = await stageFrom('first')
    await driver.backups.swap(ref.serverId, restoreId)
    const again = guestShell(driver, ref.serverId, signal)
    await driver.start(ref.serverId, signal, permit())
    await again.lines.until('guest: ready')
    // The guest may announce its address meanwhile.
    expect(await again.run(READ)).toContain('marker-1')
    await driver.kill(ref.serverId)
    await driver.backups.swapBack(ref.serverId, restoreId)
    await driver.backups.settle(ref.serverId, restoreId)
    expect(await backUp('back')).toBe(false)
    const back = await readFile(join(kept, 'back', 'disk-data.qcow2'))
    expect(back.equals(stopped)).toBe(true)
    const { code } = await runProgram('qemu-img', [
      ...['check', '-q', '-f', 'qcow2'],
      join(fixture.options.dataRoot, ref.serverId, 'disks/data.qcow2'),
    ])
    expect(code).toBe(0)
    await driver.remove(ref.serverId)

    // Where nothing of it is left, it comes back from a backup all the same: it is made empty first.
    await driver.installer.install(ref, { ...spec, source: { kind: 'blank' } }, none, signal)
    await driver.apply(ref, { ...spec, source: { kind: 'blank' } }, none, signal)
    const broughtBack = await stageFrom('first')
    await driver.backups.swap(ref.serverId, broughtBack)
    await driver.backups.settle(ref.serverId, broughtBack)
    await driver.apply(ref, spec, none, signal)
    const anew = guestShell(driver, ref.serverId, signal)
    await driver.start(ref.serverId, signal, permit())
    await anew.lines.until('guest: ready')
    expect(await anew.run(READ)).toContain('marker-1')
    await driver.kill(ref.serverId)
    await driver.remove(ref.serverId)
  })

  it('wakes a guest that stayed quiet within seconds, also after a restart of the agent', async () => {
    const spec = fixture.spec('run', { disks: DISKS })
    await fixture.driver.installer.install(ref, spec, none, signal)
    await fixture.driver.apply(ref, spec, none, signal)
    const shell = guestShell(fixture.driver, ref.serverId, signal)
    await fixture.driver.start(ref.serverId, signal, permit())
    await shell.lines.until('guest: ready')
    await shell.run(LISTENS)
    await vi.waitFor(async () => expect(await hears(fixture.node, spec.uuid)).toBe(true), PATIENCE)
    const thaw = `[ -e /mended ] && ${answers(1)} || ${REFUSES}`
    await shell.run(guestAgent({ 'fsfreeze-freeze': answers(1), 'fsfreeze-thaw': thaw }))
    const tried = (text: string) =>
      text.split('guest: asked').filter((one) => /thaw/.test(one)).length
    const warnings = async () => {
      const health = await fixture.driver.probe(signal)
      return (health.ok && health.warnings?.map(warningText).join()) || ''
    }
    await expect(backUp('stuck')).rejects.toThrow('busy')
    expect(await warnings()).toMatch(/kept.*guest may not write.*busy/)
    await vi.waitFor(() => expect(tried(shell.lines.text())).toBeGreaterThan(4), PATIENCE)

    await fixture.again()
    const later = guestShell(fixture.driver, ref.serverId, signal)
    await vi.waitFor(() => fixture.driver.recover(signal), PATIENCE)
    expect(await warnings()).toContain('busy')
    const before = tried(later.lines.text())
    await vi.waitFor(() => expect(tried(later.lines.text())).toBeGreaterThan(before), PATIENCE)
    await later.run('touch /mended')
    const mendedMs = performance.now()
    await vi.waitFor(async () => expect(await disks()).not.toContain('backup'), PATIENCE)
    expect(performance.now() - mendedMs).toBeLessThan(10_000)
    expect(await warnings()).not.toContain('busy')
    expect(await backUp('woken')).toBe(false)
    await fixture.driver.kill(ref.serverId)
    await fixture.driver.remove(ref.serverId)
  })

  /** Copies the running machine in a process that is killed every so many calls. */
  async function killedEvery(step: number): Promise<void> {
    const { driver, node, options } = fixture
    const spec = fixture.spec('run', { disks: DISKS })
    await driver.installer.install(ref, spec, none, signal)
    await driver.apply(ref, spec, none, signal)
    const shell = guestShell(driver, ref.serverId, signal)
    await driver.start(ref.serverId, signal, permit())
    await shell.lines.until('guest: ready')
    const virsh = async (...args: string[]) =>
      (await node.run('virsh', ['-c', node.uri, ...args, spec.uuid])).output
    const before = await virsh('domblklist')
    for (let point = 0, finished = false; !finished; point += step) {
      finished = await killedAt(point, { options, copied: ref.serverId })
      await driver.recover(signal)
      expect(await disks(), `killed at ${point}`).not.toContain('backup')
      expect(await virsh('domjobinfo')).toMatch(/None/)
      expect(await virsh('domblklist')).toBe(before)
      expect(await shell.run('echo goes on')).toContain('goes on')
    }
    expect(await backUp(`after ${step}`)).toBe(true)
    await driver.remove(ref.serverId)
  }

  it('leave nothing behind when the agent is killed, and the guest goes on', async () => {
    await killedEvery(23)
  })

  it('do so at every single point', { tags: 'long', timeout: 900_000 }, async () => {
    await killedEvery(1)
  })
})
