import { chmod, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { BIOS_PROFILE, type LibvirtFixture, libvirtFixture, permit } from './testing/fixture.ts'
import { libvirtMissing } from './testing/node.ts'

const missing = await libvirtMissing()
const none = () => {}
const PATIENCE = { timeout: 90_000, interval: 50 }

describe.runIf(missing === null)('an orphan of a killed libvirt', () => {
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
})
