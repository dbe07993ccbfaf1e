import { spawn } from 'node:child_process'
import { runProgram } from '@lodge/driver/run-program.ts'
import { NetworkOpenings, readOpenings } from '@lodge/shared/network-opening.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type LibvirtFixture, libvirtFixture, permit } from '../testing/fixture.ts'
import { libvirtMissing } from '../testing/node.ts'
import { NODE_ADDRESS, OUTSIDE_ADDRESS, type Outside, openOutside } from '../testing/outside.ts'
import { each, type GuestShell, guestShell, reachable } from '../testing/shell.ts'
import { firewallTable } from './firewall.ts'

const missing = await libvirtMissing()
const none = () => {}
const PATIENCE = { timeout: 60_000, interval: 500 }

describe.runIf(missing === null)('the network of guests', () => {
  let fixture: LibvirtFixture
  let outside: Outside
  let first: GuestShell | undefined
  const life = new AbortController()
  const signal = life.signal
  const addresses: string[] = []
  let table = ''

  /** Queries a web server from the node or from outside. */
  async function ask(from: 'node' | 'outside', address: string, port: number): Promise<string> {
    const input = 'GET /cgi-bin/who HTTP/1.0\r\n\r\n'
    const args = ['nc', '-w', '4', address, String(port)]
    const { output } =
      from === 'node'
        ? await fixture.node.run('busybox', args, input)
        : await outside.run('busybox', args, input)
    return output.split('\r\n').at(-1)?.trim() ?? output
  }
  /** The same from inside a guest. */
  const askFrom = (guest: GuestShell | undefined, address: string, port: number) =>
    guest?.run(
      `(printf 'GET /cgi-bin/who HTTP/1.0\\r\\n\\r\\n'; sleep 2) | nc -w 3 ${address} ${port} | tail -n 1`,
    )

  const fromFirst = (...places: string[]) => first && reachable(first, places)

  async function guest(serverId: string, hostPort: number): Promise<GuestShell> {
    const spec = fixture.spec(`run-${serverId}`, {
      natRules: [{ protocol: 'tcp', hostPort, guestPort: 80 }],
    })
    addresses.push(spec.network.address)
    const ref = { serverId, generation: 1, run: 1 }
    await fixture.driver.installer.install(ref, spec, none, signal)
    await fixture.driver.apply(ref, spec, none, signal)
    const shell = guestShell(fixture.driver, serverId, signal)
    await fixture.driver.start(serverId, signal, permit())
    await shell.lines.until('guest: ready')
    await shell.lines.until(`guest: address ${spec.network.address}`)
    return shell
  }

  beforeAll(async () => {
    fixture = await libvirtFixture()
    outside = await openOutside(fixture.node)
    table = firewallTable(fixture.options.dataRoot)
    ;[first] = await Promise.all([guest('one', 30_001), guest('two', 30_002)])
  })
  afterAll(async () => {
    life.abort()
    outside?.close()
    await fixture?.close()
  })

  it('forwards ports of the node to guests, which see the source address of the client', async () => {
    const answer = await ask('outside', NODE_ADDRESS, 30_001)
    expect(answer).toContain('guest run-one asked by')
    expect(answer).toContain(OUTSIDE_ADDRESS)
    expect(await ask('outside', NODE_ADDRESS, 30_002)).toContain('guest run-two')
    expect(await ask('node', NODE_ADDRESS, 30_001)).toContain('guest run-one')
    expect(await ask('node', '127.0.0.1', 30_001)).toContain('guest run-one')
    expect(await ask('outside', NODE_ADDRESS, 30_003)).not.toContain('guest')
  })

  it('accepts no connections except through forwarded ports', async () => {
    const [address = ''] = addresses
    await outside.run('ip', ['route', 'add', '10.77.0.0/24', 'via', NODE_ADDRESS])
    expect(await ask('outside', address, 80)).not.toContain('guest')
    expect(await ask('node', address, 80)).toContain('guest run-one')
  })

  it('lets guests out, and to each other only through ports of the node', async () => {
    expect(await first?.run(`ping -c 1 -W 3 ${OUTSIDE_ADDRESS} | grep -c ' 0% packet loss'`)).toBe(
      '1',
    )
    expect(await askFrom(first, addresses[1] ?? '', 80)).not.toContain('guest')
    if ((await bridgesPassIptables()) === false)
      expect(await askFrom(first, NODE_ADDRESS, 30_002)).toContain('guest run-two')
  })

  it('blocks guests from the services of the node', async () => {
    const server = spawn(
      'nsenter',
      [
        `--net=${fixture.node.networkNamespace}`,
        ...['busybox', 'httpd', '-f', '-p', '8080', '-h', '/usr/share/OVMF'],
      ],
      { stdio: 'ignore' },
    )
    try {
      await vi.waitFor(async () => {
        const args = ['nc', '-w', '2', '127.0.0.1', '8080']
        const { output } = await fixture.node.run('busybox', args, 'GET / HTTP/1.0\r\n\r\n')
        expect(output).toContain('HTTP/1')
      }, PATIENCE)
      const places = ['10.77.0.1:8080', `${NODE_ADDRESS}:8080`, '127.0.0.1:8080']
      expect(await fromFirst(...places)).toEqual(each('closed', places))
    } finally {
      server.kill('SIGKILL')
    }
  })

  it('lets guests reach the public internet, and other networks only as the operator opens them', async () => {
    // Private of each class, carrier-grade NAT and link-local.
    const blocks = ['10.66.0', '172.20.66', '192.168.66', '100.64.66', '169.254.66']
    for (const block of [...blocks, '168.63.129']) {
      const there = block === '168.63.129' ? '16' : '2'
      await fixture.node.run('ip', ['address', 'add', `${block}.1/24`, 'dev', 'home'])
      await outside.run('ip', ['address', 'add', `${block}.${there}/24`, 'dev', 'away'])
    }
    const inside = `--net=${outside.networkNamespace}`
    const services = ['8080', '25'].map((port) =>
      spawn('nsenter', [inside, 'busybox', 'httpd', '-f', '-p', port, '-h', '/'], {
        stdio: 'ignore',
      }),
    )
    const web = `${OUTSIDE_ADDRESS}:8080`
    const mail = `${OUTSIDE_ADDRESS}:25`
    try {
      await vi.waitFor(
        async () => expect(await fromFirst(web)).toEqual({ [web]: 'open' }),
        PATIENCE,
      )
      const closed = [...blocks.map((block) => `${block}.2:8080`), '168.63.129.16:8080', mail]
      expect(await fromFirst(...closed)).toEqual(each('closed', closed))
      // Other tenants through a private address of the node: not even their published ports.
      expect(await askFrom(first, '10.66.0.1', 30_002)).not.toContain('guest')

      await fixture.driver.networks.open(
        NetworkOpenings.parse(readOpenings('10.66.0.2 tcp 8080\n0.0.0.0/0 tcp 25')),
      )
      const opened = { '10.66.0.2:8080': 'open', '172.20.66.2:8080': 'closed', [mail]: 'open' }
      expect(await fromFirst(...Object.keys(opened))).toEqual(opened)
      await fixture.driver.networks.open([])
      expect(await fromFirst('10.66.0.2:8080')).toEqual({ '10.66.0.2:8080': 'closed' })
      expect(await first?.run('nslookup localhost. 10.77.0.1 | grep -c 127.0.0.1')).not.toBe('0')
    } finally {
      for (const service of services) service.kill('SIGKILL')
      await fixture.driver.networks.open([])
    }
  })

  it('lets no guest use an address that is not its own', async () => {
    const reaches = (extra = '') =>
      first?.run(`ping -c 1 -W 2 ${extra} 10.77.0.1 | grep -c ' 0% packet loss'`)
    expect(await reaches()).toBe('1')
    await first?.run('ip address add 10.77.0.99/24 dev eth0')
    expect(await reaches('-I 10.77.0.99')).toBe('0')
    // The address of the other guest, claimed by announcing it.
    await first?.run(`ip address add ${addresses[1]}/24 dev eth0`)
    await first?.run(`arping -c 2 -U -I eth0 ${addresses[1]}`)
    expect(await ask('outside', NODE_ADDRESS, 30_002)).toContain('guest run-two')
    await first?.run(
      `ip address del 10.77.0.99/24 dev eth0; ip address del ${addresses[1]}/24 dev eth0`,
    )
    expect(await reaches()).toBe('1')

    const own = (await first?.run('cat /sys/class/net/eth0/address')) ?? ''
    await first?.run('ip link set eth0 address 52:54:00:99:99:99')
    expect(await reaches()).toBe('0')
    await first?.run(`ip link set eth0 address ${own}`)
    await vi.waitFor(async () => expect(await reaches()).toBe('1'), PATIENCE)
    // IPv6 would bypass all of this.
    await first?.run('ip -6 address add fd00::1/64 dev eth0 nodad')
    const heard = await fixture.node.run('ip', ['-6', 'neighbour'])
    expect(heard.output).not.toContain('fd00::1')
  })

  it('repairs a reservation that a killed libvirt has stored only in part', async () => {
    const half = fixture.spec('run-half')
    const { mac, address } = half.network
    const host = `<host mac='${mac}' ip='${address}'/>`
    const update = (action: string, where: string) => {
      const args = ['net-update', 'lodge0', action, 'ip-dhcp-host', host, where]
      return fixture.node.run('virsh', args)
    }
    const reserved = async (...flags: string[]) =>
      (await fixture.node.run('virsh', ['net-dumpxml', 'lodge0', ...flags])).output.includes(mac)
    for (const where of ['--config', '--live']) {
      expect(await update('add', where)).toMatchObject({ code: 0 })
      await fixture.driver.apply({ serverId: 'half', generation: 1, run: 1 }, half, none, signal)
      expect([await reserved(), await reserved('--inactive')]).toEqual([true, true])
      expect(await update('delete', where)).toMatchObject({ code: 0 })
      await fixture.driver.remove('half')
      expect([await reserved(), await reserved('--inactive')]).toEqual([false, false])
    }
  })

  const isForwarded = async () =>
    expect(await ask('outside', NODE_ADDRESS, 30_001)).toContain('guest run-one')

  it('is restored after all rules are deleted', async () => {
    await fixture.node.run('nft', ['flush', 'ruleset'])
    await vi.waitFor(isForwarded, PATIENCE)
    expect(await fixture.driver.probe(signal)).toMatchObject({ ok: true, warnings: [] })
  })

  // The periodic check repairs both.
  it('is restored after only its own rules are deleted, and behind a firewall that drops forwarded packets, such as that of Docker', async () => {
    const { code } = await fixture.node.run('iptables', ['-P', 'FORWARD', 'DROP'])
    await fixture.node.run('nft', ['flush', 'table', 'ip', table])
    await vi.waitFor(isForwarded, PATIENCE)
    if (code !== 0) return
    const { output } = await fixture.node.run('iptables', ['-S', 'FORWARD'])
    expect(output).toContain('-P FORWARD DROP')
    expect(output).toContain('-A FORWARD -o lgbr0 -j ACCEPT')
  })

  it('changes ports while guests run, and removes them with the guest', async () => {
    const [found] = (await fixture.driver.recover(signal)).filter(
      ({ serverId }) => serverId === 'one',
    )
    expect(found?.running).toBe(true)
    await fixture.driver.remove('two')
    expect(await ask('outside', NODE_ADDRESS, 30_002)).not.toContain('guest')
    expect((await fixture.node.run('nft', ['list', 'table', 'ip', table])).output).not.toContain(
      '30002',
    )
    const { output } = await fixture.node.run('virsh', [
      '-c',
      fixture.node.uri,
      'net-dumpxml',
      'lodge0',
    ])
    expect(output).not.toContain(addresses[1])
    expect(output).toContain(addresses[0])
  })
})

/** If so, bridged packets are filtered like routed ones, and hairpin connections cannot work. */
async function bridgesPassIptables(): Promise<boolean> {
  const { code, output } = await runProgram('sysctl', ['-n', 'net.bridge.bridge-nf-call-iptables'])
  return code === 0 && output.trim() === '1'
}
