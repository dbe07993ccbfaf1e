import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { exists } from '@lodge/shared/local/files.ts'
import type { MachineSpec } from '@lodge/shared/machine-spec.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BIOS_PROFILE, type LibvirtFixture, libvirtFixture, permit } from './testing/fixture.ts'
import { killedAt } from './testing/killed.ts'
import { libvirtMissing } from './testing/node.ts'

const missing = await libvirtMissing()
const none = () => {}
const PATIENCE = { timeout: 90_000, interval: 50 }

describe.runIf(missing === null)('an orphan of a killed libvirt or agent', () => {
  let fixture: LibvirtFixture
  let trap: string
  const life = new AbortController()
  const signal = life.signal
  const ref = { serverId: 'left', generation: 1, run: 1 }
  let uuid: string

  beforeAll(async () => {
    fixture = await libvirtFixture()
    const { folder } = fixture.node
    trap = join(folder, 'trap')
    await mkdir(join(folder, 'etc/hooks'), { recursive: true })
    const hook = join(folder, 'etc/hooks/qemu')
    // libvirt runs this hook after the TPM has started, and right before it starts QEMU and
    // records anything.
    await writeFile(
      hook,
      `#!/bin/sh\n[ "$2" = start ] && rm ${trap} && kill -9 $(cat ${folder}/libvirtd.pid)\nexit 0\n`,
    )
    await chmod(hook, 0o755)
    await fixture.node.killLibvirtd()
    await fixture.node.startLibvirtd()
    const spec = fixture.spec('run', { profile: { ...BIOS_PROFILE, tpm: true } })
    uuid = spec.uuid
    await fixture.driver.installer.install(ref, spec, none, signal)
    await fixture.driver.apply(ref, spec, none, signal)
  })
  afterAll(async () => {
    life.abort()
    await fixture?.close()
  })

  const start = () => fixture.driver.start('left', signal, permit())
  const isBack = () => vi.waitFor(() => fixture.driver.recover(signal), PATIENCE)
  const processes = async () => ({
    qemu: (await fixture.node.qemuPid(uuid)) !== null,
    tpm: (await fixture.node.swtpmPid(uuid)) !== null,
  })

  /** A start that kills libvirt midway; libvirt is back afterwards. */
  async function brokenStart(): Promise<void> {
    await writeFile(trap, '')
    await expect(start()).rejects.toMatchObject({ retryable: true })
    expect(await processes()).toEqual({ qemu: false, tpm: true })
    await fixture.node.startLibvirtd()
  }

  it('that is a TPM process is killed when libvirt is back', async () => {
    await brokenStart()
    await isBack()
    expect(await processes()).toEqual({ qemu: false, tpm: false })
  })

  it('does not block work requested before it was discovered', async () => {
    await brokenStart()
    await vi.waitFor(() => fixture.driver.kill('left'), PATIENCE)
    expect(await processes()).toEqual({ qemu: false, tpm: false })

    await brokenStart()
    await vi.waitFor(start, PATIENCE)
    expect(await processes()).toEqual({ qemu: true, tpm: true })
  })

  it('that is a whole guest is killed and reported as lost', async () => {
    expect(await fixture.driver.recover(signal)).toMatchObject([{ running: true }])
    await fixture.node.killLibvirtd()
    const notes = join(fixture.node.folder, 'run/qemu')
    for (const name of await readdir(notes)) if (name.endsWith('.xml')) await rm(join(notes, name))
    await fixture.node.startLibvirtd()
    await isBack()
    expect(await processes()).toEqual({ qemu: false, tpm: false })
    expect(await fixture.driver.recover(signal)).toMatchObject([
      { running: false, lastExit: { cause: 'lost' } },
    ])
  })

  it('that is a half-started network is recreated', async () => {
    await fixture.node.killLibvirtd()
    await rm(join(fixture.node.folder, 'run/network/lodge0.xml'))
    await fixture.node.startLibvirtd()
    await isBack()
    const { output } = await fixture.node.run('ip', ['address', 'show', 'dev', 'lgbr0'])
    expect(output).toContain('10.77.0.1/24')
    await start()
    const networks = await fixture.node.run('virsh', ['net-list', '--name'])
    expect(networks.output).toContain('lodge0')
    expect(await fixture.driver.recover(signal)).toMatchObject([{ running: true }])
    await fixture.driver.remove('left')
    expect(await processes()).toEqual({ qemu: false, tpm: false })
  })

  it('that is a received file is deleted once its machine is complete', async () => {
    const { driver, options } = fixture
    const from = { ...ref, serverId: 'sent' }
    const spec = fixture.spec('run')
    await driver.installer.install(from, spec, none, signal)
    await driver.apply(from, spec, none, signal)
    const sent = await driver.transfer.manifest('sent', none, signal)
    const there = (...names: string[]) => join(options.dataRoot, 'came', ...names)
    const to = { serverId: 'came', generation: 0, run: 0 }
    const own = fixture.spec('run', { disks: spec.disks })
    const manifest = { ...sent, serverId: 'came', uuid: own.uuid }
    const received = (name: string, offset: number) =>
      driver.transfer.read('sent', name, offset, signal)
    const arrive = (as: MachineSpec) =>
      driver.transfer.import(to, as, manifest, received, none, signal)

    let defined = 0
    for (let point = 4; ; point += 2) {
      const arriving = { from: 'sent', server: to, spec: own, manifest }
      const finished = await killedAt(point, { options, arriving, calls: ['rm'] })
      const isDefined = (await fixture.node.run('virsh', ['dominfo', own.uuid])).code === 0
      if (isDefined && (await exists(there('arriving')))) defined += 1
      await arrive(own)
      expect(await exists(there('arriving')), `killed at ${point}`).toBe(false)
      expect((await driver.transfer.manifest('came', none, signal)).files).toEqual(sent.files)
      await driver.remove('came')
      if (finished) break
    }
    expect(defined).toBeGreaterThan(0)

    // What is defined keeps the record of its disks when something fails afterwards.
    const network = { ...own.network, gateway: '10.77.0.254' }
    await expect(arrive({ ...own, network })).rejects.toMatchObject({ code: 'unsupported' })
    expect(await exists(there('server.json'))).toBe(true)
    await arrive(own)
    expect(await exists(there('arriving'))).toBe(false)
    for (const serverId of ['came', 'sent']) await driver.remove(serverId)
  })
})
