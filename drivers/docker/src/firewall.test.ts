import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runProgram } from '@lodge/driver/run-program.ts'
import { type ConsoleWatch, watchConsole } from '@lodge/driver/suite/watch.ts'
import { NetworkOpenings, readOpenings } from '@lodge/shared/network-opening.ts'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { firewallTable } from './network/firewall.ts'
import { dockerdMissing } from './testing/dockerd.ts'
import { busyboxSpec, type DockerFixture, dockerFixture } from './testing/fixture.ts'
import { type Neighbour, openNeighbour } from './testing/neighbour.ts'

const missing = await dockerdMissing()
const none = () => {}
const GAME_PORT = 29_921

describe.skipIf(missing !== null)('what a container can reach', () => {
  const life = new AbortController()
  const { signal } = life
  let fixture: DockerFixture
  let near: Neighbour
  let folder: string
  let service: Server
  let servicePort = 0
  let shell: ConsoleWatch
  let asked = 0

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'lodge-firewall-'))
    near = await openNeighbour()
    const resolvers = join(folder, 'resolv.conf')
    await writeFile(resolvers, `nameserver ${near.at['class A']}\n`)
    fixture = await dockerFixture({ liveRestore: true, resolverFiles: [resolvers] })
    service = createServer((socket) => socket.on('error', none).end('service of the node\n'))
    await new Promise<void>((resolve) => service.listen(0, '::', resolve))
    const address = service.address()
    servicePort = typeof address === 'object' && address ? address.port : 0
    await start(
      'game',
      'mkdir /tmp/w; echo "a game" > /tmp/w/index.html; exec httpd -f -p 80 -h /tmp/w',
      [
        {
          hostAddress: '0.0.0.0',
          hostPort: GAME_PORT,
          containerPort: 80,
          protocol: 'tcp' as const,
        },
      ],
    )
    shell = watchConsole(fixture.driver, 'prober', signal)
    await start('prober', 'exec sh')
  })
  afterAll(async () => {
    life.abort()
    service?.close()
    await fixture?.close()
    await near?.close()
    await rm(folder, { recursive: true, force: true })
  })

  async function start(
    serverId: string,
    script: string,
    ports: ReturnType<typeof busyboxSpec>['ports'] = [],
  ): Promise<void> {
    const spec = { ...busyboxSpec(script), ports }
    await fixture.driver.apply({ serverId, generation: 1, run: 1 }, spec, none, signal)
    await fixture.driver.start(serverId, signal)
  }

  /** Runs these commands in the probing container and returns their output. */
  async function run(commands: string): Promise<string> {
    asked += 1
    const [begin, end] = [`<${asked}>`, `</${asked}>`]
    await fixture.driver.console.write(
      'prober',
      Buffer.from(`echo "${begin}"; { ${commands}; } 2>&1; echo "${end}"\n`),
    )
    const text = await shell.until(end)
    // A restarted engine may replay the last output once.
    return text.slice(text.lastIndexOf(begin) + begin.length, text.lastIndexOf(end)).trim()
  }
  const knock = (address: string, port: number) =>
    `nc -w 1 ${address} ${port} </dev/null >/dev/null 2>&1 && echo open || echo closed`
  const reaches = (address: string, port = 8080) => run(knock(address, port))
  /** The answer of each address; all are asked at once, since each silence takes a second. */
  async function reachesEach(addresses: readonly string[], port = 8080) {
    const lines = await run(
      `${addresses.map((to) => `{ echo "${to} $(${knock(to, port)})"; } &`).join(' ')} wait`,
    )
    return Object.fromEntries(lines.split('\n').map((line) => line.trim().split(' ')))
  }
  const closed = (addresses: readonly string[]) =>
    Object.fromEntries(addresses.map((address) => [address, 'closed']))
  const open = (lines: string) =>
    fixture.driver.networks.open(NetworkOpenings.parse(readOpenings(lines)))
  const pidOf = async (serverId: string) => {
    const docker = new Docker({ socketPath: fixture.options.socketPath })
    return (await docker.getContainer(`lodge-test-${serverId}`).inspect()).State.Pid
  }

  it('is the public internet and no other network', async () => {
    await vi.waitFor(async () => expect(await reaches(near.at.public ?? '')).toBe('open'), 20_000)
    const others = Object.values(near.at).filter((address) => address !== near.at.public)
    expect(await reachesEach(others)).toEqual(closed(others))
  })

  it('does not include mail servers', async () => {
    expect(await reaches(near.at.public ?? '', 25)).toBe('closed')
  })

  it('does not include services of the node, by any of its addresses', async () => {
    const gateway = await run('ip route | sed -n "s/default via \\([0-9.]*\\).*/\\1/p"')
    const own = [gateway, near.own.private, near.own.public, '127.0.0.1']
    expect(await reachesEach(own, servicePort)).toEqual(closed(own))
  })

  it('includes the name servers of the node', async () => {
    const server = near.at['class A']
    expect(await run(`nslookup probe.test ${server}`)).toContain('192.0.2.9')
    expect(await reaches(server ?? '', 53)).toBe('open')
  })

  it('includes another server through a public address of the node, but no other way', async () => {
    const gateway = await run('ip route | sed -n "s/default via \\([0-9.]*\\).*/\\1/p"')
    const page = `printf 'GET / HTTP/1.0\\r\\n\\r\\n' | nc -w 2 ${near.own.public} ${GAME_PORT}`
    await vi.waitFor(async () => expect(await run(`${page} | tail -n 1`)).toBe('a game'), 20_000)
    const others = [gateway, near.own.private]
    expect(await reachesEach(others, GAME_PORT)).toEqual(closed(others))
  })

  it('includes what the operator opens, immediately and without a restart, until it is closed again', async () => {
    const pid = await pidOf('prober')
    const [inside = '', other = ''] = [near.at['class A'], near.at['class C']]
    await open(`10.99.7.0/24 tcp 8080\n${near.own.private} tcp ${servicePort}\n0.0.0.0/0 tcp 25`)
    expect(await reaches(inside)).toBe('open')
    expect(await reaches(inside, 53)).toBe('open')
    expect(await reaches(other)).toBe('closed')
    expect(await reaches(near.own.private, servicePort)).toBe('open')
    expect(await reaches(near.at.public ?? '', 25)).toBe('open')
    expect(await reaches(near.at['cloud platform'] ?? '', 25)).toBe('closed')
    // A wide network opens neither the node itself nor SMTP.
    await open('10.0.0.0/8\n192.168.0.0/16')
    expect(await reaches(other)).toBe('open')
    expect(await reaches(inside, 25)).toBe('closed')
    expect(await reaches(near.own.private, servicePort)).toBe('closed')
    await open('')
    expect(await reaches(inside)).toBe('closed')
    expect(await pidOf('prober')).toBe(pid)
  })

  it('ends with the opening, even on established connections', async () => {
    const inside = near.at['class A'] ?? ''
    await open(`${inside} tcp 8080`)
    await run(
      `mkfifo /tmp/hold; { nc ${inside} 8080 </tmp/hold >/tmp/answer; } & exec 3>/tmp/hold; printf 'GET /' >&3`,
    )
    await open('')
    await run(`printf ' HTTP/1.0\\r\\n\\r\\n' >&3; sleep 2; exec 3>&-`)
    expect(await run('wc -c </tmp/answer')).toBe('0')
  })

  it('is nothing over IPv6, even for a process that assigns itself addresses', async () => {
    const enter = ['--target', String(await pidOf('prober')), '--net', '--']
    const inside = async (file: string, ...args: string[]) =>
      await runProgram('nsenter', [...enter, file, ...args])
    const { output: links } = await runProgram('ip', ['-brief', 'link', 'show', 'type', 'bridge'])
    const bridges = links.split('\n').flatMap((line) => line.split(/\s+/)[0] ?? [])
    const own = bridges.filter((name) => name.startsWith(fixture.options.networkPrefix ?? ''))
    try {
      for (const bridge of own) {
        await runProgram('sysctl', ['-qw', `net.ipv6.conf.${bridge}.disable_ipv6=0`])
        await runProgram('ip', ['address', 'add', 'fd98:7::1/64', 'dev', bridge, 'nodad'])
      }
      await inside('sysctl', '-qw', 'net.ipv6.conf.eth0.disable_ipv6=0')
      await inside('ip', 'address', 'add', 'fd98:7::2/64', 'dev', 'eth0', 'nodad')
      const { code } = await inside('ip', '-6', 'route', 'add', 'default', 'via', 'fd98:7::1')
      expect(code).toBe(0)
      const attempts = ['fd98:7::1', near.own.ipv6, 'fd99:7::2'].flatMap((address) =>
        [servicePort, 8080].map((port) => ['nc', '-w', '1', address, String(port)]),
      )
      const answers = await Promise.all(attempts.map((args) => inside('busybox', ...args)))
      for (const { code, output } of answers) {
        expect(output).not.toContain('service of the node')
        expect(code).not.toBe(0)
      }
    } finally {
      for (const bridge of own)
        await runProgram('ip', ['address', 'del', 'fd98:7::1/64', 'dev', bridge])
    }
  })

  it('stays closed when the engine restarts and when the rules are deleted', async () => {
    await fixture.engine.kill()
    await fixture.engine.restart()
    expect(await reaches(near.at['class A'] ?? '')).toBe('closed')
    const table = firewallTable(fixture.options.dataRoot)
    await runProgram('nft', ['delete', 'table', 'inet', table])
    // The first thing a new server does.
    const first = watchConsole(fixture.driver, 'eager', signal)
    await start('eager', `${knock(near.at['class A'] ?? '', 8080)}; echo over; exec sleep 1000`)
    expect(await first.until('over')).toContain('closed')
    expect(await reaches(near.at['class A'] ?? '')).toBe('closed')
  })

  it('is no container at all where the rules cannot be loaded', async () => {
    const path = process.env.PATH
    const other = fixture.again()
    await fixture.driver.kill('eager')
    process.env.PATH = '/nonexistent'
    try {
      await expect(other.start('eager', signal)).rejects.toMatchObject({
        code: 'start_failed',
        message: expect.stringContaining('nftables'),
      })
    } finally {
      process.env.PATH = path
    }
  })

  it('is filtered on our own bridges only, whatever those of another installation are named', async () => {
    const bridge = `${fixture.options.networkPrefix}zz9`
    const guest = spawn('unshare', ['--net', 'sh', '-c', 'echo there; exec cat'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    await once(guest.stdout, 'data')
    const there = ['--target', String(guest.pid), '--net', '--']
    try {
      for (const args of [
        ['link', 'add', bridge, 'type', 'bridge'],
        ['address', 'add', '10.97.7.1/24', 'dev', bridge],
        ['link', 'set', bridge, 'up'],
        ['link', 'add', 'ldgtfar', 'type', 'veth', 'peer', 'name', 'eth0', 'netns', `${guest.pid}`],
        ['link', 'set', 'ldgtfar', 'master', bridge],
        ['link', 'set', 'ldgtfar', 'up'],
      ])
        expect(await runProgram('ip', args)).toMatchObject({ code: 0 })
      for (const args of [
        ['ip', 'address', 'add', '10.97.7.2/24', 'dev', 'eth0'],
        ['ip', 'link', 'set', 'eth0', 'up'],
      ])
        expect(await runProgram('nsenter', [...there, ...args])).toMatchObject({ code: 0 })
      const knockKnock = ['busybox', 'nc', '-w', '5', '10.97.7.1', String(servicePort)]
      expect((await runProgram('nsenter', [...there, ...knockKnock])).output).toContain(
        'service of the node',
      )
    } finally {
      guest.kill('SIGKILL')
      await runProgram('ip', ['link', 'delete', bridge])
      await runProgram('ip', ['link', 'delete', 'ldgtfar'])
    }
  })
})
