import { spawn } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type LibvirtFixture, libvirtFixture, permit } from '../testing/fixture.ts'
import { libvirtMissing } from '../testing/node.ts'
import { NODE_ADDRESS, OUTSIDE_ADDRESS, type Outside, openOutside } from '../testing/outside.ts'
import { each, type GuestShell, guestShell, reachable } from '../testing/shell.ts'

const missing = await libvirtMissing()
const none = () => {}

/**
 * Networks that an administrator may have: libvirt's default one, one with a bridge of the host,
 * one without a bridge.
 */
const DOCUMENTS = {
  usual: `<network><name>usual</name><forward mode='nat'/><bridge name='virbr7'/>
    <ip address='10.87.0.1' netmask='255.255.255.0'><dhcp><range start='10.87.0.100' end='10.87.0.200'/>
    </dhcp></ip></network>`,
  bridged: `<network><name>bridged</name><forward mode='bridge'/><bridge name='br8'/></network>`,
  direct: `<network><name>direct</name><forward mode='bridge'><interface dev='home'/></forward></network>`,
}

describe.runIf(missing === null)('a network configured on the host', () => {
  let fixture: LibvirtFixture
  let outside: Outside
  const life = new AbortController()
  const signal = life.signal
  const guests: GuestShell[] = []
  const inUsual = card('usual', '10.87.0')
  const inBridged = card('bridged', '10.88.0')

  async function virsh(...args: string[]): Promise<string> {
    const { code, output } = await fixture.node.run('virsh', args)
    if (code !== 0) throw new Error(`virsh ${args.join(' ')}: ${output}`)
    return output
  }
  async function made(serverId: string, network: object, hostPort: number) {
    const ref = { serverId, generation: 1, run: 1 }
    const spec = fixture.spec(`run-${serverId}`, {
      network,
      natRules: [{ protocol: 'tcp', hostPort, guestPort: 80 }],
    })
    await fixture.driver.installer.install(ref, spec, none, signal)
    await fixture.driver.apply(ref, spec, none, signal)
    return spec
  }
  async function boot(serverId: string): Promise<GuestShell> {
    const shell = guestShell(fixture.driver, serverId, signal)
    await fixture.driver.start(serverId, signal, permit())
    await shell.lines.until('guest: ready')
    return shell
  }
  const settings = async (name: string) => [
    (await virsh('net-dumpxml', name)).replaceAll(/<network[^>]*>|<host .*?\/>|\s/g, ''),
    await virsh('net-info', name),
  ]
  let before: Record<string, string[]>

  beforeAll(async () => {
    fixture = await libvirtFixture()
    outside = await openOutside(fixture.node)
    for (const args of [
      ['link', 'add', 'br8', 'type', 'bridge'],
      ['address', 'add', '10.88.0.1/24', 'dev', 'br8'],
      ['link', 'set', 'br8', 'up'],
    ])
      expect(await fixture.node.run('ip', args)).toMatchObject({ code: 0 })
    for (const [name, xml] of Object.entries(DOCUMENTS)) {
      await fixture.node.run('busybox', ['tee', `${fixture.node.folder}/${name}.xml`], xml)
      await virsh('net-define', `${fixture.node.folder}/${name}.xml`)
      await virsh('net-start', name)
    }
    before = { usual: await settings('usual'), bridged: await settings('bridged') }
    await made('usual', inUsual, 30_001)
    await made('bridged', inBridged, 30_002)
    guests.push(...(await Promise.all([boot('usual'), boot('bridged')])))
  })
  afterAll(async () => {
    life.abort()
    outside?.close()
    await fixture?.close()
  })

  const reaches = (shell: GuestShell | undefined, gateway: string, extra = '') =>
    shell?.run(`ping -c 1 -W 2 ${extra} ${gateway} | grep -c ' 0% packet loss'`)
  const ask = async (port: number) => {
    const args = ['nc', '-w', '4', NODE_ADDRESS, String(port)]
    return (await outside.run('busybox', args, 'GET /cgi-bin/who HTTP/1.0\r\n\r\n')).output
  }

  it('is reported with what a machine on it needs', async () => {
    const { networks } = await fixture.driver.virtualization.report(signal)
    expect(networks.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'bridged', active: true, bridge: 'br8', cidr: '' },
      { name: 'direct', active: true, bridge: '', cidr: '' },
      { name: 'usual', active: true, bridge: 'virbr7', cidr: '10.87.0.1/24' },
    ])
  })

  it('leases a guest its address if it has DHCP, and lets no other through', async () => {
    const [usual, bridged] = guests
    await usual?.lines.until(`guest: address ${inUsual.address}`)
    expect(await reaches(usual, '10.87.0.1')).toBe('1')
    // This one gets its address from its seed.
    await bridged?.run(`ip address add ${inBridged.address}/24 dev eth0`)
    expect(await reaches(bridged, '10.88.0.1')).toBe('1')
    const refusesAnother = async (shell: GuestShell | undefined, block: string) => {
      await shell?.run(`ip address add ${block}.99/24 dev eth0`)
      expect(await reaches(shell, `${block}.1`, `-I ${block}.99`)).toBe('0')
      expect(await reaches(shell, `${block}.1`)).toBe('1')
    }
    await Promise.all([refusesAnother(usual, '10.87.0'), refusesAnother(bridged, '10.88.0')])
  })

  it('isolates its guests from the node and from networks behind it', async () => {
    await fixture.node.run('ip', ['address', 'add', '10.66.0.1/24', 'dev', 'home'])
    await outside.run('ip', ['address', 'add', '10.66.0.2/24', 'dev', 'away'])
    const serve = (space: string) =>
      spawn('nsenter', [`--net=${space}`, 'busybox', 'httpd', '-f', '-p', '8080', '-h', '/'], {
        stdio: 'ignore',
      })
    const services = [serve(outside.networkNamespace), serve(fixture.node.networkNamespace)]
    const [usual] = guests
    const reaches = (...places: string[]) => usual && reachable(usual, places)
    try {
      const web = `${OUTSIDE_ADDRESS}:8080`
      await vi.waitFor(async () => expect(await reaches(web)).toEqual({ [web]: 'open' }), {
        timeout: 60_000,
        interval: 500,
      })
      const closed = ['10.66.0.2', '10.66.0.1', '10.87.0.1', NODE_ADDRESS].map(
        (address) => `${address}:8080`,
      )
      expect(await reaches(...closed)).toEqual(each('closed', closed))
    } finally {
      for (const service of services) service.kill('SIGKILL')
    }
  })

  it('forwards ports of the node to its guests', async () => {
    for (const [serverId, port] of [
      ['usual', 30_001],
      ['bridged', 30_002],
    ] as const)
      expect(await ask(port)).toContain(`guest run-${serverId} asked by`)
  })

  it('is changed only by leases, even after its machines are removed', async () => {
    expect(await virsh('net-dumpxml', 'usual')).toContain(inUsual.mac)
    expect(await settings('usual')).toEqual(before.usual)
    for (const serverId of ['usual', 'bridged']) await fixture.driver.remove(serverId)
    expect(await virsh('net-dumpxml', 'usual')).not.toContain(inUsual.mac)
    expect(await settings('usual')).toEqual(before.usual)
    expect(await settings('bridged')).toEqual(before.bridged)
  })

  it('is refused when it is inactive, missing, or without a bridge to filter addresses on', async () => {
    await virsh('net-destroy', 'usual')
    for (const [name, why] of [
      ['usual', /usual .* is off/],
      ['nowhere', /no network nowhere/],
      ['direct', /direct .* bridge/],
    ] as const)
      await expect(made(`not-${name}`, card(name, '10.87.0'), 30_003)).rejects.toMatchObject({
        code: 'unsupported',
        message: expect.stringMatching(why),
      })
    expect((await virsh('net-info', 'usual')).replace(/\s+/g, ' ')).toContain('Active: no')
  })
})

/** The network card of a machine in such a network, whose gateway is the node in these tests. */
function card(name: string, block: string) {
  return {
    mode: 'configured',
    name,
    bridge: null,
    mac: name === 'bridged' ? '52:54:00:00:88:10' : '52:54:00:00:87:10',
    address: `${block}.10`,
    prefixLength: 24,
    gateway: `${block}.1`,
    dns: [],
  }
}
