import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { ownMounts } from '../../support/own-mounts.ts'
import { must } from './must.ts'
import { folderOf, type Place, placeAt } from './street.ts'

const boot = path.join(import.meta.dirname, 'boot.sh')
/** The environment of somebody who signs in as root. */
const SHELL = [
  ...['env', '-i', 'HOME=/root', 'LANG=C.UTF-8', 'TERM=dumb'],
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
]

/** A background program on a machine. */
export interface Running {
  output(): string
  readonly isRunning: boolean
  /** As Ctrl-C: returns when it has ended. */
  interrupt(): Promise<void>
}

/**
 * A machine with its own processes, mounts, network and disk. It shares only the kernel and the
 * installed packages with the test machine.
 */
export interface Machine extends AsyncDisposable {
  readonly address: string
  /** Runs a command line in a root shell and returns its output. */
  shell(line: string, folder?: string): Promise<{ code: number | null; said: string }>
  /** Starts a command line in a root shell. */
  start(line: string, folder?: string): Running
  /** Kills every process and removes the network, as a power cut does; then boots again. */
  reboot(): Promise<void>
}

export async function machineAt(name: string, address: string): Promise<Machine> {
  const folder = await folderOf('machine')
  const image = path.join(folder, 'disk')
  await must('truncate', '-s', '40G', image)
  await must('mkfs.ext4', '-q', image)
  let place: Place
  let init: ChildProcess

  async function powerOn(): Promise<void> {
    place = await placeAt(name, address)
    const [file, ...args] = [
      ...place.inside,
      ...['unshare', '--uts', '--ipc', '--pid', '--fork', '--kill-child=SIGKILL'],
      ...ownMounts('sh', boot, image, name),
    ]
    init = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] })
    const faults = text(init.stderr!)
    const started = await Promise.race([once(init.stdout!, 'data'), once(init, 'close')])
    if (!String(started[0]).includes('up')) throw new Error(`${name}: ${await faults}`)
  }

  async function powerOff(): Promise<void> {
    const off = once(init, 'close')
    process.kill(first(), 'SIGKILL')
    await off
    await place.remove()
  }

  /** The pid of the machine's first process on this side. */
  const first = () =>
    Number(readFileSync(`/proc/${init.pid}/task/${init.pid}/children`, 'utf8').trim())

  function run(line: string, at: string, detached = false): ChildProcess {
    const namespaces = ['--mount', '--uts', '--ipc', '--net', '--pid', '--root', '--wd']
    const args = ['--target', String(first()), ...namespaces, '--', ...SHELL]
    return spawn('nsenter', [...args, 'sh', '-c', `cd ${at} && ${line}`], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached,
    })
  }

  await powerOn()
  return {
    address,
    async shell(line, at = '/root') {
      const child = run(line, at)
      const output = Promise.all([text(child.stdout!), text(child.stderr!)])
      const [code] = await once(child, 'close')
      return { code, said: (await output).join('') }
    },
    start(line, at = '/root') {
      const child = run(`exec ${line}`, at, true)
      let output = ''
      for (const stream of [child.stdout!, child.stderr!])
        stream.setEncoding('utf8').on('data', (part) => {
          output += part
        })
      const ended = once(child, 'close')
      return {
        output: () => output,
        get isRunning() {
          return child.exitCode === null && child.signalCode === null
        },
        async interrupt() {
          // Ctrl-C in a terminal signals the whole process group.
          process.kill(-(child.pid ?? 0), 'SIGINT')
          await ended
        },
      }
    },
    async reboot() {
      await powerOff()
      await powerOn()
    },
    async [Symbol.asyncDispose]() {
      await powerOff()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
