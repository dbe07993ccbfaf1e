import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from '@lodge/driver/run-program.ts'
import type { RbdPool } from '@lodge/driver/storage/rbd.ts'
import { freePort } from '../../../../test/support/processes.ts'
import { must } from './must.ts'
import type { TestNode } from './node.ts'
import { passOn } from './pass-on.ts'

const PROGRAMS = ['ceph-mon', 'ceph-osd', 'ceph', 'rbd', 'ceph-authtool', 'monmaptool']
const OSD_PORTS = 8

/** A Ceph cluster of one monitor and one OSD, with an RBD pool. */
export interface TestCeph extends AsyncDisposable {
  readonly pool: RbdPool
  /** Another one of the same cluster, as of another site. */
  readonly otherPool: RbdPool
  /** As `LODGE_AGENT_RBD_POOLS` has it. */
  readonly setting: string
  /** What the configuration of another cluster has: the same, without the key. */
  readonly keyless: RbdPool
  /** Lets QEMU on a node reach the cluster, anew after a power cut. */
  reach(node: TestNode): Promise<void>
  /** An image as QEMU's programs name it. */
  located(image: string): string
  /** Runs `rbd` as the cluster's administrator. */
  rbd(...args: string[]): Promise<string>
  images(): Promise<string[]>
  /** The cluster answers nobody, until it does again. */
  freeze(): void
  thaw(): void
}

/** Why there is none on this machine, or null. */
export async function cephMissing(): Promise<string | null> {
  for (const program of PROGRAMS)
    if ((await runProgram(program, ['--version'])).code === null)
      return `there is no ${program} on this machine`
  const { output } = await runProgram('qemu-img', ['info', 'rbd:lodge/none:conf=/dev/null'], {
    deadlineMs: 1000,
  })
  return /Unknown protocol/.test(output) ? 'QEMU on this machine has no rbd' : null
}

export async function startCeph(): Promise<TestCeph> {
  await using open = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'lodge-ceph-'))
  open.defer(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  await chmod(folder, 0o711)
  for (const name of ['mon', 'osd', 'run']) await mkdir(join(folder, name))
  const [port, osdPort] = [await freePort(), await freePort()]
  const [config, keyring, map] = ['ceph.conf', 'keyring', 'monmap'].map((name) =>
    join(folder, name),
  ) as [string, string, string]
  const fsid = randomUUID()
  await writeFile(config, clusterConfig({ folder, keyring, fsid, port, osdPort }))
  const key = (name: string, ...caps: string[]) =>
    must('ceph-authtool', [keyring, '--create-keyring', '--gen-key', '--name', name, ...caps])
  await key('mon.', '--cap', 'mon', 'allow *')
  const more = async (name: string, ...caps: string[]) =>
    must('ceph-authtool', [keyring, '--gen-key', '--name', name, ...caps])
  await more('client.admin', '--cap', 'mon', 'allow *', '--cap', 'osd', 'allow *')
  await more('osd.0', '--cap', 'mon', 'allow profile osd', '--cap', 'osd', 'allow *')
  const monitor = `[v1:127.0.0.1:${port}]`
  await must('monmaptool', ['--create', '--addv', 'a', monitor, '--fsid', fsid, map])
  const as = ['--conf', config]
  await must('ceph-mon', [...as, '--mkfs', '-i', 'a', '--monmap', map, '--keyring', keyring])

  const daemons: ChildProcess[] = []
  const run = (program: string, id: string) => {
    const daemon = spawn('setpriv', ['--pdeathsig', 'KILL', program, ...as, '-f', '-i', id], {
      stdio: ['ignore', 'ignore', 'ignore'],
    })
    daemons.push(daemon)
    open.defer(() => killed(daemon))
  }
  const ceph = (...args: string[]) => must('ceph', [...as, '--connect-timeout', '30', ...args])
  run('ceph-mon', 'a')
  const osd = randomUUID()
  await ceph('osd', 'new', osd, '0')
  await must('ceph-osd', [...as, '--mkfs', '-i', '0', '--osd-uuid', osd])
  run('ceph-osd', '0')
  for (const name of ['vms', 'others']) {
    await ceph('osd', 'pool', 'create', name, '8', '8')
    await ceph('osd', 'pool', 'application', 'enable', name, 'rbd')
  }
  const clientKeyring = join(folder, 'ceph.client.lodge.keyring')
  await ceph(
    ...['auth', 'get-or-create', 'client.lodge', 'mon', 'profile rbd'],
    ...['osd', 'profile rbd pool=vms, profile rbd pool=others', '-o', clientKeyring],
  )
  await chmod(clientKeyring, 0o600)
  const client = async (name: string, ring: string) => {
    const file = join(folder, name)
    await writeFile(file, `[global]\nmon host = v1:127.0.0.1:${port}\nkeyring = ${ring}\n`)
    return { pool: 'vms', user: 'lodge', configFile: file }
  }
  const pool = await client('client.conf', clientKeyring)
  const keyless = await client('keyless.conf', join(folder, 'none'))
  // Returns once the OSD is there.
  await must('rbd', [...as, 'ls', 'vms'])

  const ports = [String(port), ...(await osdPorts(ceph))]
  for (const one of ports) {
    const server = createServer((connection) =>
      passOn(connection, { host: '127.0.0.1', port: Number(one) }),
    )
    const sockets = new Set<{ destroy(): unknown }>()
    server.on('connection', (socket) => {
      sockets.add(socket)
      socket.on('close', () => sockets.delete(socket))
    })
    server.listen(join(folder, one))
    await once(server, 'listening')
    open.defer(async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    })
  }

  const rbd = async (...args: string[]) => must('rbd', [...as, ...args])
  const kept = open.move()
  return {
    pool,
    otherPool: { ...pool, pool: 'others' },
    keyless,
    setting: `${pool.user}@${pool.pool}:${pool.configFile}`,
    located: (image) => `rbd:${pool.pool}/${image}:id=${pool.user}:conf=${pool.configFile}`,
    async reach(node) {
      const file = fileURLToPath(new URL('./ceph-forward.ts', import.meta.url))
      const forward = spawn(
        'nsenter',
        [`--net=${node.networkNamespace}`, 'setpriv', '--pdeathsig', 'KILL'].concat(
          ...[process.execPath, file, folder, ...ports],
        ),
        { stdio: ['ignore', 'pipe', 'ignore'] },
      )
      kept.defer(() => killed(forward))
      for (let up = 0; up < ports.length; )
        up += String((await once(forward.stdout, 'data'))[0]).length
    },
    rbd,
    async images() {
      return (await rbd('ls', 'vms')).split('\n').filter(Boolean)
    },
    freeze() {
      for (const daemon of daemons) daemon.kill('SIGSTOP')
    },
    thaw() {
      for (const daemon of daemons) daemon.kill('SIGCONT')
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function killed(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGKILL')
  await once(child, 'close')
}

/** Where clients reach the OSD. */
async function osdPorts(ceph: (...args: string[]) => Promise<string>): Promise<string[]> {
  const { osds } = JSON.parse(await ceph('osd', 'dump', '--format', 'json')) as {
    osds: { public_addr: string }[]
  }
  return osds.map(({ public_addr: address }) => /:(\d+)\//.exec(address)?.[1] ?? '')
}

interface Places {
  readonly folder: string
  readonly keyring: string
  readonly fsid: string
  readonly port: number
  readonly osdPort: number
}

/** A cluster without a second copy, whose objects are in memory. */
const clusterConfig = ({ folder, keyring, fsid, port, osdPort }: Places): string =>
  `
[global]
fsid = ${fsid}
mon host = v1:127.0.0.1:${port}
mon initial members = a
auth cluster required = cephx
auth service required = cephx
auth client required = cephx
auth allow insecure global id reclaim = false
ms bind msgr2 = false
ms bind ipv6 = false
ms bind port min = ${osdPort}
ms bind port max = ${osdPort + OSD_PORTS}
public addr = 127.0.0.1
osd pool default size = 1
osd pool default min size = 1
mon allow pool size one = true
mon max pg per osd = 500
osd crush chooseleaf type = 0
osd objectstore = memstore
memstore device bytes = 4294967296
osd data = ${folder}/osd
mon data = ${folder}/mon
keyring = ${keyring}
run dir = ${folder}/run
admin socket = ${folder}/run/$name.asok
pid file =
log file = ${folder}/$name.log
`
