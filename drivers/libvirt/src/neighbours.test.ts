import { randomUUID } from 'node:crypto'
import { chmod, chown, mkdir, readdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { machinePaths } from './data/layout.ts'
import { METADATA_URI } from './domain/record.ts'
import { qemuUser } from './host/system-user.ts'
import { type LibvirtDriver, libvirtDriver } from './libvirt.ts'
import { type LibvirtFixture, libvirtFixture, permit, UEFI_PROFILE } from './testing/fixture.ts'
import { libvirtMissing } from './testing/node.ts'

const missing = await libvirtMissing()
const none = () => {}

/** These tests boot no guest: they create, inspect and remove machines. */
describe.skipIf(missing !== null)('machines of one Lodge installation', () => {
  let fixture: LibvirtFixture
  let other: LibvirtDriver
  const { signal } = new AbortController()
  const ref = (serverId: string) => ({ serverId, generation: 1, run: 1 })
  const virsh = async (...args: string[]) => (await fixture.node.run('virsh', args)).output
  const bridges = async () => (await fixture.node.run('ip', ['-brief', 'link'])).output

  beforeAll(async () => {
    fixture = await libvirtFixture()
    other = libvirtDriver({
      ...fixture.options,
      dataRoot: `${fixture.options.dataRoot}-other`,
      scope: 'other',
    })
  })
  afterAll(async () => {
    await other?.close()
    await fixture?.close()
  })

  const ids = async (driver: LibvirtDriver) =>
    (await driver.recover(signal)).map(({ serverId }) => serverId)

  it('share no network with another installation, and each network is removed with its last machine', async () => {
    const own = fixture.spec('run')
    await fixture.driver.apply(ref('own'), own, none, signal)
    const elsewhere = fixture.spec('run')
    const same = { ...elsewhere, network: { ...elsewhere.network, bridge: 'lgbr1' } }
    await expect(other.apply(ref('theirs'), same, none, signal)).rejects.toThrow(
      /10\.77\.0\.0\/24 are in use on this node already, by its interface lgbr0/,
    )
    const theirs = fixture.spec('run', {
      uuid: same.uuid,
      network: { ...same.network, address: '10.78.0.10', gateway: '10.78.0.1' },
    })
    await other.apply(ref('theirs'), theirs, none, signal)
    expect(await ids(fixture.driver)).toEqual(['own'])
    expect(await ids(other)).toEqual(['theirs'])
    expect(await virsh('net-list', '--name')).toMatch(/^lodge0\nlodge0-other$/m)
    expect(await virsh('domiflist', 'lodge-other-theirs')).toContain('lodge0-other')

    const second = fixture.spec('run')
    await fixture.driver.apply(ref('second'), second, none, signal)
    await other.remove('theirs')
    expect((await virsh('net-list', '--all', '--name')).trim()).toBe('lodge0')
    await fixture.driver.remove('own')
    expect(await bridges()).toContain('lgbr0')
    expect(await bridges()).not.toContain('lgbr1')
    await fixture.driver.remove('second')
    expect((await virsh('net-list', '--all', '--name')).trim()).toBe('')
    expect(await bridges()).not.toContain('lgbr0')
  })

  it('have files that only QEMU may read, even where an earlier version left them open', async () => {
    const { uid } = await qemuUser()
    const spec = fixture.spec('run', { profile: UEFI_PROFILE })
    await fixture.driver.installer.install(ref('closed'), spec, none, signal)
    await fixture.driver.apply(ref('closed'), spec, none, signal)
    const paths = machinePaths(fixture.options.dataRoot, 'closed')
    const files = [paths.disk('system'), paths.seed, paths.firmware]
    const facts = () =>
      Promise.all(
        files.map(async (file) => {
          const found = await stat(file)
          return { file, mode: (found.mode & 0o777).toString(8), uid: found.uid }
        }),
      )
    const closed = files.map((file) => ({ file, mode: '600', uid }))
    expect(await facts()).toEqual(closed)
    for (const file of files) {
      await chmod(file, 0o644)
      await chown(file, 0, 0)
    }
    await (await fixture.again()).recover(signal)
    expect(await facts()).toEqual(closed)
    await fixture.driver.remove('closed')
  })

  it('are not confused with a copy of their definition', { tags: 'long' }, async () => {
    const spec = fixture.spec('run', {
      natRules: [{ protocol: 'tcp', hostPort: 30_050, guestPort: 80 }],
    })
    await fixture.driver.apply(ref('original'), spec, none, signal)
    const uuid = randomUUID()
    const copy = (await virsh('dumpxml', '--inactive', spec.uuid))
      .replace(/<name>.*<\/name>/, '<name>copy</name>')
      .replace(`<uuid>${spec.uuid}</uuid>`, `<uuid>${uuid}</uuid>`)
      .replace(/<nvram.*<\/nvram>/, '')
    expect(copy).toContain(METADATA_URI)
    const file = join(fixture.node.folder, 'copy.xml')
    await writeFile(file, copy)
    await virsh('define', file)
    await fixture.driver.remove('original')
    expect(await ids(fixture.driver)).toEqual([])
    expect((await fixture.node.run('nft', ['list', 'ruleset'])).output).not.toContain('30050')
    expect(await virsh('list', '--all', '--uuid')).toContain(uuid)
    await virsh('undefine', uuid)
  })

  it('leave no logs behind', async () => {
    const [folder = ''] = fixture.options.logFolders ?? []
    await mkdir(folder, { recursive: true })
    const spec = fixture.spec('run')
    await fixture.driver.apply(ref('logged'), spec, none, signal)
    const names = ['.log', '.log.0', '-swtpm.log'].map((end) => `lodge-default-logged${end}`)
    const others = ['lodge-default-logged2.log', 'somebody.log']
    for (const name of [...names, ...others]) await writeFile(join(folder, name), 'text')
    await fixture.driver.remove('logged')
    expect((await readdir(folder)).filter((name) => !name.includes('copy'))).toEqual(others)
  })

  it('that were suspended to disk on the node explain how to start them', {
    tags: 'long',
  }, async () => {
    const spec = fixture.spec('run', { source: { kind: 'blank' } })
    await fixture.driver.apply(ref('asleep'), spec, none, signal)
    await fixture.driver.start('asleep', signal, permit())
    await virsh('managedsave', spec.uuid)
    const why = await fixture.driver.start('asleep', signal, permit()).catch(String)
    const remedy = /virsh (managedsave-remove) (\S+)$/.exec(String(why))
    expect(why).toContain('Somebody has put the machine to sleep on the node')
    await virsh(...(remedy?.slice(1) ?? []))
    await fixture.driver.start('asleep', signal, permit())
    await fixture.driver.remove('asleep')
  })

  it('cannot have a disk larger than that of the node', async () => {
    const spec = fixture.spec('run', { disks: [{ id: 'system', sizeMb: 900_000_000 }] })
    await expect(fixture.driver.installer.install(ref('huge'), spec, none, signal)).rejects.toThrow(
      /The disk system of 858\.3 TiB is larger than the node's own/,
    )
    await expect(fixture.driver.apply(ref('huge'), spec, none, signal)).rejects.toThrow(
      /larger than the node's own/,
    )
  })
})
