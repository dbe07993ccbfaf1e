import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir, uptime } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runProgram } from '@lodge/driver/run-program.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bootGuard, type Guard } from './guard.ts'

const MARK = 'urn:lodge:test'

describe('the guard of boots', () => {
  let folder: string
  let guard: Guard
  let hook: string
  const uuid = randomUUID()

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodge-guard-'))
    hook = join(folder, 'hooks/qemu.d/50-lodge')
    guard = bootGuard({
      hooksFolder: join(folder, 'hooks'),
      permitFolder: join(folder, "per'mits"),
      mark: MARK,
      scope: 'default',
      identityFile: join(folder, 'node.json'),
      pidFiles: [join(folder, 'libvirtd.pid')],
    })
    await writeFile(join(folder, 'node.json'), '{}')
    await guard.install()
  })
  afterEach(() => rm(folder, { recursive: true, force: true }))

  const definition = (id: string = uuid, mark = MARK, scope = 'default') =>
    `<domain type='kvm'><name>a</name><uuid>${id}</uuid><metadata>
      <lodge:server xmlns:lodge='${mark}' id='1' scope="${scope}">{"scope":"x"}</lodge:server>
    </metadata></domain>`
  /** What libvirt does before a start. */
  const asks = (text = definition(), ...words: string[]) =>
    runProgram(hook, ['a', ...(words.length > 0 ? words : ['prepare', 'begin', '-'])], {
      input: text,
    })
  const permit = (forMs = 5_000) => ({
    attempt: randomUUID(),
    nodeEpoch: 1,
    placementGeneration: 1,
    validUntilUptimeMs: uptime() * 1000 + forMs,
  })

  it('lets a machine start once per permit, and never by hand', async () => {
    const refused = await asks()
    expect(refused.code).toBe(1)
    expect(refused.output).toBe(
      'This virtual machine belongs to Lodge: only the agent of this node may start it. Start it in the panel.\n',
    )
    await guard.grant(uuid, permit())
    expect((await asks(definition(randomUUID()))).code).toBe(1)
    expect(await asks()).toEqual({ code: 0, output: '' })
    expect((await asks()).code).toBe(1)
    await guard.grant(uuid, permit())
    await guard.revoke(uuid)
    expect((await asks()).code).toBe(1)
  })

  it('rejects a permit that has expired, is too far in the future, or was writable by others', async () => {
    await guard.grant(uuid, permit(-1))
    expect((await asks()).output).toContain('its permit is over')
    await guard.grant(uuid, permit(3_600_000))
    expect((await asks()).output).toContain('its permit is over')
    const file = join(folder, "per'mits", uuid)
    const until = Math.floor(uptime() * 1000 + 5_000)
    await writeFile(file, `lodge-permit 1 ${uuid} ${until}\n`, { mode: 0o666 })
    await runProgram('chmod', ['666', file])
    expect((await asks()).output).toContain('not from the agent')
    for (const text of [
      '',
      `lodge-permit 1 ${randomUUID()} ${until}\n`,
      `lodge-permit 2 ${uuid} 1`,
    ]) {
      await writeFile(file, text, { mode: 0o600 })
      expect((await asks()).output).toContain('cannot be read')
    }
  })

  it('ignores other machines and other operations', async () => {
    expect((await asks(definition(uuid, 'urn:somebody'))).code).toBe(0)
    for (const operation of ['start', 'started', 'stopped', 'release', 'reconnect']) {
      expect((await asks(definition(), operation, 'begin', '-')).code).toBe(0)
    }
    expect((await asks('')).code).toBe(1)
  })

  it('leaves machines of another Lodge installation to the hook of that one', async () => {
    const other = bootGuard({
      hooksFolder: join(folder, 'hooks'),
      permitFolder: join(folder, 'other'),
      mark: MARK,
      scope: '0badcafe',
      identityFile: join(folder, 'node.json'),
      pidFiles: [],
    })
    await other.install()
    const theirs = join(folder, 'hooks/qemu.d/50-lodge-0badcafe')
    const asksThem = (text: string) =>
      runProgram(theirs, ['a', 'prepare', 'begin', '-'], { input: text })
    const text = definition(uuid, MARK, '0badcafe')
    expect((await asks(text)).code).toBe(0)
    expect((await asksThem(text)).code).toBe(1)
    expect((await asksThem(definition())).code).toBe(0)
    // Starting the other agent must not revoke permits of this one.
    await guard.grant(uuid, permit())
    await other.install()
    expect((await asks()).code).toBe(0)
  })

  it('blocks nothing once this host is no longer a node', async () => {
    expect((await asks()).code).toBe(1)
    await rm(join(folder, 'node.json'))
    expect(await asks()).toEqual({ code: 0, output: '' })
  })

  it('restores a modified hook and revokes permits of an earlier agent', async () => {
    await writeFile(hook, '#!/bin/sh\nexit 0\n')
    expect(await guard.missing()).toBeNull()
    expect(await readFile(hook, 'utf8')).toContain('Lets a virtual machine of Lodge')
    await guard.grant(uuid, permit())
    await guard.install()
    expect(await readdir(join(folder, "per'mits"))).toEqual([])
  })

  it('restarts a supervised libvirt that has not loaded the hook', async () => {
    const daemon = spawn('sleep', ['60'], { stdio: 'ignore' })
    const ended = once(daemon, 'exit')
    await writeFile(join(folder, 'libvirtd.pid'), `${daemon.pid}\n`)
    // The kernel reports process start times in hundredths of a second.
    await delay(50)
    const later = bootGuard({
      hooksFolder: join(folder, 'later'),
      permitFolder: join(folder, 'permits'),
      mark: MARK,
      scope: 'default',
      identityFile: join(folder, 'node.json'),
      pidFiles: [join(folder, 'libvirtd.pid')],
      supervised: true,
    })
    await later.install()
    expect((await ended)[1]).toBe('SIGTERM')
    expect(await later.missing()).toBeNull()
  })

  it('reports that a libvirt older than the hook needs one restart', async () => {
    await writeFile(join(folder, 'libvirtd.pid'), `${process.pid}\n`)
    expect(await guard.missing()).toContain('restarted once')
    const before = (await stat(hook)).mtimeMs
    await writeFile(join(folder, 'libvirtd.pid'), '999999999\n')
    expect(await guard.missing()).toBeNull()
    expect((await stat(hook)).mtimeMs).toBe(before)
  })
})
