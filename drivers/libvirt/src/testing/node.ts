import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { access, chmod, chown, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { type ProgramResult, runProgram } from '@lodge/driver/run-program.ts'
import { ownMounts } from '../../../../test/support/own-mounts.ts'
import { qemuUser } from '../host/system-user.ts'
import { openPort } from '../port/port.ts'

/** A private libvirt in its own namespaces: to virtual machines it looks like another host. */
export interface TestNode {
  readonly uri: string
  readonly folder: string
  /** Pid of the process that holds this node's namespaces, as seen from outside. */
  readonly holderPid: number
  /** The network namespace, as a path for `nsenter --net=`. */
  readonly networkNamespace: string
  /** Where its libvirt keeps TPM state, as seen from outside. */
  readonly tpmFolder: string
  /** Runs a program on this node to completion. */
  run(file: string, args: readonly string[], input?: string): Promise<ProgramResult>
  /** The pid of libvirtd, as seen from outside. */
  libvirtdPid(): Promise<number>
  /** The pid of a virtual machine's QEMU, or null. */
  qemuPid(uuid: string): Promise<number | null>
  /** The pid of a virtual machine's swtpm, or null. */
  swtpmPid(uuid: string): Promise<number | null>
  /** Kills libvirtd as a crash would; virtual machines keep running. */
  killLibvirtd(): Promise<void>
  startLibvirtd(): Promise<void>
  /** Stops everything on this node and removes its folder. */
  stop(): Promise<void>
}

const UP_WITHIN_MS = 60_000
const PROGRAMS = ['libvirtd', 'virsh', 'qemu-system-x86_64', 'qemu-img', 'swtpm', 'dnsmasq', 'nft']

/** Why no test node can run on this machine, or null. */
export async function libvirtMissing(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'libvirtd needs root'
  for (const program of PROGRAMS) {
    if ((await runProgram(program, ['--version'])).code === null)
      return `there is no ${program} on this machine`
  }
  const firmware = await access('/usr/share/OVMF/OVMF_CODE_4M.ms.fd').then(
    () => null,
    () => 'there is no OVMF firmware on this machine',
  )
  return firmware
}

/**
 * Starts a node; `folder` must be short (socket paths end at 107 bytes), and is created and
 * removed.
 */
export async function startTestNode(folder: string): Promise<TestNode> {
  await makeFolders(folder)
  const holder = spawn(
    'unshare',
    [
      ...['--net', '--uts'],
      ...ownMounts(
        process.execPath,
        fileURLToPath(new URL('./holder.ts', import.meta.url)),
        folder,
      ),
    ],
    { stdio: ['pipe', 'pipe', 'pipe'] },
  )
  await readiness(holder)
  const holderPid = holder.pid ?? 0
  const uri = `qemu:///system?socket=${folder}/run/libvirt-sock`
  const enter = ['--target', String(holderPid), '--mount', '--net', '--uts', '--']
  let daemon: ChildProcess | null = null

  async function startLibvirtd(): Promise<void> {
    await rm(join(folder, 'run/libvirt-sock'), { force: true })
    const own = spawn(
      'nsenter',
      [...enter, 'libvirtd', '-f', '/etc/libvirt/libvirtd.conf', '-p', `${folder}/libvirtd.pid`],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    )
    let complaint = ''
    own.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2000)
    })
    daemon = own
    const port = openPort({ uri, connections: 1 })
    try {
      for (const began = Date.now(); ; ) {
        const up = await port.call('versions').then(
          () => true,
          () => false,
        )
        if (up) return
        if (own.exitCode !== null || Date.now() - began > UP_WITHIN_MS)
          throw new Error(`libvirtd did not come up: ${complaint}`)
        await delay(50)
      }
    } finally {
      await port.close()
    }
  }

  const node: TestNode = {
    uri,
    folder,
    holderPid,
    networkNamespace: `/proc/${holderPid}/ns/net`,
    tpmFolder: join(folder, 'varlib/swtpm'),
    run: (file, args, input) =>
      runProgram('nsenter', [...enter, file, ...args], input === undefined ? {} : { input }),
    libvirtdPid: async () => Number(await readFile(join(folder, 'libvirtd.pid'), 'utf8')),
    qemuPid: (uuid) => processWith('qemu-system', uuid),
    swtpmPid: (uuid) => processWith('swtpm', `/swtpm/${uuid}`),
    async killLibvirtd() {
      const ended = daemon ? once(daemon, 'close') : Promise.resolve()
      daemon?.kill('SIGKILL')
      await ended
    },
    startLibvirtd,
    async stop() {
      holder.stdin?.end()
      await (holder.exitCode === null ? once(holder, 'close') : null)
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
  try {
    await startLibvirtd()
  } catch (error) {
    await node.stop()
    throw error
  }
  return node
}

async function makeFolders(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await chmod(folder, 0o711)
  for (const name of ['run', 'cache', 'log']) await mkdir(join(folder, name))
  await cp('/etc/libvirt', join(folder, 'etc'), { recursive: true })
  // Definitions and hooks belong to users of this machine's libvirt.
  for (const name of ['qemu', 'hooks'])
    await rm(join(folder, 'etc', name), { recursive: true, force: true })
  await mkdir(join(folder, 'etc/hooks'))
  const state = join(folder, 'varlib')
  for (const name of ['images', 'boot', 'dnsmasq', 'network', 'swtpm', 'qemu'])
    await mkdir(join(state, name), { recursive: true, mode: 0o711 })
  const { uid, gid } = await qemuUser()
  await chown(join(state, 'qemu'), uid, gid)
  for (const name of ['nvram', 'save', 'snapshot', 'channel', 'checkpoint', 'dump', 'ram']) {
    await mkdir(join(state, 'qemu', name))
    await chown(join(state, 'qemu', name), uid, gid)
  }
  await writeFile(join(folder, 'no-kvm'), '', { mode: 0o600 })
  await writeFile(
    join(folder, 'etc/qemu.conf'),
    [
      'stdio_handler = "file"',
      'security_driver = "none"',
      'namespaces = []',
      'cgroup_controllers = []',
      '',
    ].join('\n'),
  )
  await writeFile(
    join(folder, 'etc/libvirtd.conf'),
    [
      'auth_unix_rw = "none"',
      'unix_sock_rw_perms = "0700"',
      `host_uuid = "${randomUUID()}"`,
      'log_outputs = "2:file:/var/log/libvirt/libvirtd.log"',
      '',
    ].join('\n'),
  )
}

function readiness(holder: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let complaint = ''
    holder.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint += text
    })
    holder.stdout?.once('data', () => resolve())
    holder.once('error', reject)
    holder.once('close', () => reject(new Error(`no test node: ${complaint.slice(-1000)}`)))
  })
}

/** The process of a program whose command line contains this text. */
async function processWith(program: string, text: string): Promise<number | null> {
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    const [file = ''] = line.split('\0')
    if (file.includes(program) && line.includes(text)) return Number(pid)
  }
  return null
}
