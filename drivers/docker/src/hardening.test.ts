import { createServer } from 'node:net'
import { networkInterfaces } from 'node:os'
import { watchConsole, watchEvents } from '@lodge/driver/suite/watch.ts'
import type { ContainerSpec } from '@lodge/shared/container-spec.ts'
import Docker from 'dockerode'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openEngine } from './engine/client.ts'
import { engineFigures } from './sampling/engine-stats.ts'
import { dockerdMissing } from './testing/dockerd.ts'
import { busyboxSpec, type DockerFixture, dockerFixture } from './testing/fixture.ts'

const missing = await dockerdMissing()
const none = () => {}
const life = new AbortController()
let fixture: DockerFixture
let count = 0

/** Starts a server that runs this script. */
async function run(script: string, change: Partial<ContainerSpec> = {}): Promise<string> {
  count += 1
  const serverId = `hard-${count}`
  const spec = { ...busyboxSpec(script), ...change }
  await fixture.driver.apply({ serverId, generation: 1, run: 1 }, spec, none, life.signal)
  await fixture.driver.start(serverId, life.signal)
  return serverId
}

/** Everything the script printed before `over`. */
async function printed(script: string, change: Partial<ContainerSpec> = {}): Promise<string> {
  count += 1
  const serverId = `hard-${count}`
  const lines = watchConsole(fixture.driver, serverId, life.signal)
  const spec = { ...busyboxSpec(`${script}\necho over`), ...change }
  await fixture.driver.apply({ serverId, generation: 1, run: 1 }, spec, none, life.signal)
  await fixture.driver.start(serverId, life.signal)
  return lines.until('over')
}

async function inspect(name: string) {
  const docker = new Docker({ socketPath: fixture.options.socketPath })
  const facts = await docker.getContainer(`lodge-test-${name}`).inspect()
  // Engine versions differ in how they write the same value.
  const CapAdd = facts.HostConfig.CapAdd?.map((capability: string) =>
    capability.replace('CAP_', ''),
  )
  const Devices = facts.HostConfig.Devices ?? []
  return { ...facts, HostConfig: { ...facts.HostConfig, CapAdd, Devices } }
}

/** The network of the server whose number this user has. */
const ownNetwork = (user: string) => `lodge-test-network-${Number(user.split(':')[0]) - 200_000}`

async function addressOf(serverId: string): Promise<string> {
  const facts = await inspect(serverId)
  return Object.values(facts.NetworkSettings.Networks)[0]?.IPAddress ?? ''
}

describe.skipIf(missing !== null)('a container', () => {
  beforeAll(async () => {
    fixture = await dockerFixture()
  })
  afterAll(async () => {
    life.abort()
    await fixture?.close()
  })

  const hardened = {
    Privileged: false,
    CapDrop: ['ALL'],
    SecurityOpt: ['no-new-privileges'],
    RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
    AutoRemove: false,
    PidMode: '',
    IpcMode: 'private',
    UTSMode: '',
    UsernsMode: '',
    CgroupParent: '',
    Init: true,
    OomScoreAdj: 200,
    Devices: [],
    DeviceRequests: null,
    DeviceCgroupRules: null,
    VolumesFrom: null,
    Links: null,
    ExtraHosts: null,
    GroupAdd: null,
    PublishAllPorts: false,
    Binds: null,
    Memory: 64 * 1024 * 1024,
    MemorySwap: 64 * 1024 * 1024,
    CpuPeriod: 100_000,
    CpuQuota: 100_000,
    PidsLimit: 64,
    LogConfig: {
      Type: 'local',
      Config: {
        'max-size': '5m',
        'max-file': '2',
        compress: 'false',
        mode: 'non-blocking',
        'max-buffer-size': '4m',
      },
    },
  }
  const bind = (Source: string, Target: string, ReadOnly?: boolean) => ({
    Type: 'bind',
    Source,
    Target,
    ...(ReadOnly ? { ReadOnly } : {}),
    BindOptions: { Propagation: 'rprivate' },
  })

  it('CVE-2026-44849: of a server is made exactly as hard as promised', async () => {
    const ports = [
      { hostAddress: '127.0.0.1', hostPort: 29_901, containerPort: 80, protocol: 'udp' as const },
    ]
    const serverId = await run('exec sleep 1000', { ports, capabilities: ['CHOWN'] })
    const { Config, HostConfig } = await inspect(serverId)
    const folder = `${fixture.options.dataRoot}/servers/${serverId}`
    expect(HostConfig).toMatchObject({
      ...hardened,
      NetworkMode: ownNetwork(Config.User),
      CapAdd: ['CHOWN'],
      ReadonlyRootfs: true,
      Tmpfs: {
        '/tmp': expect.stringMatching(
          /^rw,exec,nosuid,nodev,mode=1777,uid=(2\d{5}),gid=\1,size=64m$/,
        ),
      },
      PortBindings: { '80/udp': [{ HostIp: '127.0.0.1', HostPort: '29901' }] },
      Mounts: [
        bind(`${folder}/data`, '/data'),
        bind(`${folder}/passwd`, '/etc/passwd', true),
        bind(`${folder}/group`, '/etc/group', true),
      ],
    })
    expect(HostConfig.Ulimits?.map((limit) => limit.Name)).toEqual(['nofile', 'core'])
    expect(Config.User).toMatch(/^2\d{5}:2\d{5}$/)
    expect(Config.Labels).toEqual({
      'lodge.server': serverId,
      'lodge.generation': '1',
      'lodge.run': '1',
      'lodge.fingerprint': expect.stringMatching(/^[0-9a-f]{64}$/),
      'lodge.kind': 'run',
      'lodge.scope': 'test',
    })
  })

  it('CVE-2023-32080: of an installer is as hard but for handing out files as root', async () => {
    const serverId = 'hard-install'
    const spec = fixture.withInstaller(busyboxSpec('exec sleep 1000'), { kind: 'run' })
    const work = fixture.driver.installer.install(
      { serverId, generation: 1, run: 1 },
      spec,
      none,
      life.signal,
    )
    work.catch(none)
    const { Config, HostConfig } = await vi.waitFor(() => inspect(`${serverId}-install`), 20_000)
    await fixture.driver.kill(serverId)
    await expect(work).rejects.toThrow()
    const folder = `${fixture.options.dataRoot}/servers/${serverId}`
    expect(HostConfig).toMatchObject({
      ...hardened,
      NetworkMode: expect.stringMatching(/^lodge-test-network-\d+$/),
      CapAdd: ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'],
      ReadonlyRootfs: false,
      PortBindings: {},
      Mounts: [bind(`${folder}/data`, '/mnt/server'), bind(`${folder}/install`, '/mnt/install')],
    })
    expect(Config).toMatchObject({ User: '0:0', Labels: { 'lodge.kind': 'install' } })
  })

  it('has no capabilities, cannot gain any, and has a seccomp filter', async () => {
    const text = await printed(
      'grep -E "^(Cap(Inh|Prm|Eff|Amb|Bnd)|NoNewPrivs|Seccomp):" /proc/self/status',
    )
    expect(text.replaceAll('\t', ' ')).toContain(
      [
        ...['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map(
          (name) => `${name}: 0000000000000000`,
        ),
        'NoNewPrivs: 1',
        'Seccomp: 2',
      ].join('\n'),
    )
  })

  it('runs as a user that no other server has', async () => {
    const first = await printed('id -u; id -un; echo $HOME')
    const second = await printed('id -u')
    expect(first).toMatch(/^2\d{5}\nserver\n\/data\n/)
    expect(second.split('\n')[0]).not.toBe(first.split('\n')[0])
  })

  it('can write only to its data and /tmp', async () => {
    const text = await printed(
      'for f in / /etc /bin /root /proc /sys /dev /data /tmp; do touch $f/probe 2>/dev/null && echo "wrote $f"; done',
    )
    expect(text.match(/wrote \S+/g)).toEqual(['wrote /data', 'wrote /tmp'])
  })

  it('can write to its root file system when the spec says so', async () => {
    const text = await printed('test -w /data && touch /tmp/x && echo fine; mount | grep " / "', {
      writableRoot: true,
    })
    expect(text).toMatch(/fine\n.*\brw\b/)
  })

  it('cannot mount, make devices, change the clock or see other processes', async () => {
    const text = await printed(
      [
        'mount -t tmpfs none /data 2>/dev/null && echo mounted',
        'mknod /data/disk b 254 0 2>/dev/null && echo device',
        'date -s 2001-01-01 >/dev/null 2>&1; date +%Y | grep 2001',
        'hostname other 2>/dev/null && echo hostname',
        'echo 1 2>/dev/null > /proc/sys/kernel/sysrq && echo sysctl',
        'cat /proc/kcore >/dev/null 2>&1 && echo kcore',
        'dmesg >/dev/null 2>&1 && echo dmesg',
        'test -e /var/run/docker.sock && echo socket',
        'ls -d /proc/[0-9]* | wc -l',
      ].join('\n'),
    )
    const lines = text.split('\n')
    expect(lines.filter((line) => /^[a-z]|2001/.test(line))).toEqual(['over'])
    expect(Number(lines[0])).toBeLessThan(8)
  })

  it('is stopped by its own process limit, not by that of the machine', async () => {
    const serverId = await run('bomb() { bomb & bomb; }; bomb 2>/dev/null; exec sleep 1000')
    const facts = await inspect(serverId)
    expect(facts.HostConfig.PidsLimit).toBe(64)
    expect(await printed('echo alive')).toContain('alive')
    await fixture.driver.kill(serverId)
    await vi.waitFor(
      async () => expect((await inspect(serverId)).State.Running).toBe(false),
      20_000,
    )
  })

  it('cannot open more files than its limit', async () => {
    const limits = { ...busyboxSpec('x').limits, openFiles: 128 }
    expect(await printed('ulimit -n; ulimit -c', { limits })).toMatch(/^128\n0\n/)
  })

  it('cannot reach a service of the node through any address', async () => {
    const service = createServer((socket) => socket.end('secret of the host\n'))
    await new Promise<void>((resolve) => service.listen(0, '0.0.0.0', resolve))
    const address = service.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const own = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
    const hosts = own
      .filter((one) => one.family === 'IPv4' && !one.internal)
      .map((one) => one.address)
      // Within its process limit: other tests may have bridges of their own.
      .slice(0, 20)
    const text = await printed(
      [
        'gateway=$(ip route | sed -n "s/default via \\([0-9.]*\\).*/\\1/p")',
        'echo "gateway $gateway"',
        `for host in $gateway ${hosts.join(' ')} 169.254.169.254; do nc -w 1 $host ${port} </dev/null 2>&1 & done; wait`,
      ].join('\n'),
    )
    expect(text).toMatch(/gateway 10\./)
    expect(text).not.toContain('secret of the host')
    service.close()
  })

  it('can be reached through its published port, but not by other servers', async () => {
    const hostPort = 29_902
    const ports = [
      { hostAddress: '0.0.0.0', hostPort, containerPort: 8080, protocol: 'tcp' as const },
    ]
    const serve =
      'mkdir -p /tmp/w; echo "secret of a tenant" > /tmp/w/index.html; exec httpd -f -p 8080 -h /tmp/w'
    const serverId = await run(serve, { ports })
    const answer = await vi.waitFor(
      () => fetch(`http://127.0.0.1:${hostPort}/`).then((reply) => reply.text()),
      20_000,
    )
    expect(answer).toContain('secret of a tenant')
    const own = await printed('wget -T 2 -qO- http://127.0.0.1:8080/ || echo nothing here')
    expect(own).toContain('nothing here')
    const address = await addressOf(serverId)
    const gateway = Object.values((await inspect(serverId)).NetworkSettings.Networks)[0]?.Gateway
    const text = await printed(
      [
        `wget -T 1 -qO- http://${address}:8080/ 2>&1`,
        `wget -T 1 -qO- http://${gateway}:${hostPort}/ 2>&1`,
        'mine=$(ip route | sed -n "s/default via \\([0-9.]*\\).*/\\1/p")',
        `wget -T 1 -qO- http://$mine:${hostPort}/ 2>&1`,
        'ping -c 1 -W 1 $mine 2>&1',
      ].join('\n'),
    )
    expect(text).not.toContain('secret of a tenant')
  })

  it('may use ports below 1024 without being root', async () => {
    const serverId = await run('mkdir -p /tmp/w; exec httpd -f -p 80 -h /tmp/w', {
      ports: [{ hostAddress: '127.0.0.1', hostPort: 29_903, containerPort: 80, protocol: 'tcp' }],
    })
    const reply = await vi.waitFor(() => fetch('http://127.0.0.1:29903/missing'), 20_000)
    expect(reply.status).toBe(404)
    await fixture.driver.remove(serverId)
  })

  it('gets the port on both protocols when both are published', async () => {
    const two = (['tcp', 'udp'] as const).map((protocol) => ({
      hostAddress: '127.0.0.1',
      hostPort: 29_904,
      containerPort: 70,
      protocol,
    }))
    const serverId = await run('exec sleep 1000', { ports: two })
    const { NetworkSettings } = await inspect(serverId)
    expect(Object.keys(NetworkSettings.Ports)).toEqual(['70/tcp', '70/udp'])
  })

  it('does not leak secrets into the log and progress of the installer', async () => {
    const secret = 'hunter2-$ecret'
    const base = busyboxSpec('exec sleep 1000')
    const seen: string[] = []
    await fixture.driver.installer.install(
      { serverId: 'hard-secret', generation: 1, run: 1 },
      {
        ...base,
        secretNames: ['TOKEN'],
        install: {
          image: base.image,
          interpreter: ['sh'],
          script: 'echo "token is $TOKEN"; echo visible',
          environment: { TOKEN: secret },
          timeoutSeconds: 60,
        },
      },
      (step) => seen.push(JSON.stringify(step)),
      life.signal,
    )
    const kept = await fixture.driver.console.tail('hard-secret', 100, 'install')
    expect(kept).toEqual(['token is ***', 'visible'])
    expect(seen.join()).toContain('visible')
    expect(seen.join()).not.toContain('hunter2')
  })

  it('of an installer that hangs is killed at its time limit', async () => {
    const spec = fixture.withInstaller(busyboxSpec('exec sleep 1000'), { kind: 'run' })
    const install = { ...spec.install!, timeoutSeconds: 1 }
    const work = fixture.driver.installer.install(
      { serverId: 'hard-slow', generation: 1, run: 1 },
      { ...spec, install },
      none,
      life.signal,
    )
    await expect(work).rejects.toMatchObject({ code: 'timeout' })
  })

  it('has the same statistics in the kernel’s files and the engine’s API', async () => {
    const serverId = await run('i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; exec sleep 1000')
    const engine = openEngine(fixture.options.socketPath)
    const { Id } = await inspect(serverId)
    await vi.waitFor(async () => {
      const asked = await engineFigures(engine, Id)
      const [read] = (await fixture.driver.sample(life.signal)).filter(
        (one) => one.serverId === serverId,
      )
      expect(asked.cpuMicroseconds).toBeGreaterThan(10_000)
      expect(asked.memoryBytes).toBeGreaterThan(0)
      expect(Math.abs(asked.memoryBytes - (read?.memoryBytes ?? 0))).toBeLessThan(4 * 1024 * 1024)
      expect(Math.abs(asked.received - (read?.networkRxBytes ?? 0))).toBeLessThan(10_000)
    }, 20_000)
  })

  it('of another scope on the same engine is ignored', async () => {
    const { dockerDriver } = await import('./docker.ts')
    const serverId = await run('exec sleep 1000')
    const other = dockerDriver({
      ...fixture.options,
      labelScope: 'other',
      dataRoot: `${fixture.options.dataRoot}-other`,
    })
    const events = watchEvents(other, life.signal)
    expect(await other.recover(life.signal)).toEqual([])
    expect(await other.sample(life.signal)).toEqual([])
    await fixture.driver.kill(serverId)
    const own = watchEvents(fixture.driver, life.signal)
    await fixture.driver.start(serverId, life.signal)
    await own.until('started', serverId)
    expect(events.seen).toEqual([])
    other.close()
  })
})
