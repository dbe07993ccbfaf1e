import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { access, mkdir, readFile, rm, symlink, unlink } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { runProgram } from '@lodge/driver/run-program.ts'
import { takeHostNetwork } from './host-network.ts'
import { endWorkloads, killQuietly, removeBridges } from './remains.ts'

/** A Docker engine for a single test run. */
export interface TestEngine {
  readonly socketPath: string
  readonly pid: number
  /** An address block and bridge prefix that no other test engine on this machine uses. */
  readonly subnetPool: string
  readonly networkPrefix: string
  /** Kills the engine as a power cut would; the containers' processes keep running. */
  kill(): Promise<void>
  /** Starts it again after `kill`, on the same data. */
  restart(): Promise<void>
  /** Stops engine and containers and removes bridges, rules and data. */
  stop(): Promise<void>
}

export interface TestEngineOptions {
  /** An empty or missing folder on a file system that supports overlay. */
  readonly folder: string
  /** Keeps containers running while the engine is down. */
  readonly liveRestore?: boolean
}

const SLOTS = 50
const UP_WITHIN_MS = 40_000

/** Why no test engine can run on this machine, or null. */
export async function dockerdMissing(): Promise<string | null> {
  if (process.getuid?.() !== 0) return 'dockerd needs root'
  const { code } = await runProgram('dockerd', ['--version'])
  return code === 0 ? null : 'there is no dockerd on this machine'
}

/**
 * Starts a private engine, once no other test has one in this network namespace. Throws with the
 * end of its log when it does not come up.
 */
export async function startDockerd(options: TestEngineOptions): Promise<TestEngine> {
  const { folder } = options
  await mkdir(folder, { recursive: true })
  const release = await takeHostNetwork()
  const slot = await takeSlot()
  const bridge = `ldgtb${slot.number}`
  const networkPrefix = `ldgt${slot.number}x`
  const socketPath = join(folder, 'docker.sock')
  const log = join(folder, 'dockerd.log')
  await runProgram('ip', ['link', 'add', 'name', bridge, 'type', 'bridge'])
  await runProgram('ip', ['address', 'add', `10.${200 + slot.number}.255.1/24`, 'dev', bridge])
  await runProgram('ip', ['link', 'set', bridge, 'up'])

  async function launch() {
    const child = spawn(
      'dockerd',
      [
        `--data-root=${folder}/data`,
        `--exec-root=${folder}/exec`,
        `--pidfile=${folder}/dockerd.pid`,
        `--host=unix://${socketPath}`,
        `--bridge=${bridge}`,
        ...(options.liveRestore ? ['--live-restore'] : []),
      ],
      { stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    )
    const file = createWriteStream(log, { flags: 'a' })
    child.stdout.pipe(file)
    child.stderr.pipe(file)
    const ended = once(child, 'close').catch(() => {})
    const began = Date.now()
    while (!(await answers(socketPath))) {
      if (child.exitCode !== null || Date.now() - began > UP_WITHIN_MS) {
        child.kill('SIGKILL')
        throw new Error(
          `dockerd did not come up: ${(await readFile(log, 'utf8').catch(() => '')).slice(-1500)}`,
        )
      }
      await delay(50)
    }
    return { child, ended }
  }

  async function cleanUp(): Promise<void> {
    await endWorkloads(folder)
    await endLeftOvers(folder)
    await removeBridges((name) => name === bridge || name.startsWith(networkPrefix))
    await unmountBelow(folder)
    await rm(folder, { recursive: true, force: true }).catch(() => {})
    await slot.release()
    await release()
  }

  let current = await launch().catch(async (error) => {
    await cleanUp()
    throw error
  })
  return {
    socketPath,
    subnetPool: `10.${200 + slot.number}.0.0/17`,
    networkPrefix,
    get pid() {
      return current.child.pid ?? 0
    },
    async kill() {
      current.child.kill('SIGKILL')
      await current.ended
    },
    async restart() {
      // The engine's containerd dies with it but may remain a zombie for a while, and a new engine
      // would wait for it forever.
      await rm(join(folder, 'dockerd.pid'), { force: true })
      await rm(join(folder, 'exec/containerd/containerd.pid'), { force: true })
      await rm(join(folder, 'exec/containerd/containerd.sock'), { force: true })
      current = await launch()
    },
    async stop() {
      current.child.kill('SIGTERM')
      const gone = await Promise.race([current.ended.then(() => true), delay(20_000, false)])
      if (!gone) {
        current.child.kill('SIGKILL')
        await current.ended
      }
      await cleanUp()
    },
  }
}

/** Gives concurrent test runs different bridges and addresses. */
async function takeSlot() {
  const folder = join(tmpdir(), 'lodge-test-engines')
  await mkdir(folder, { recursive: true })
  for (let number = 0; number < SLOTS; number += 1) {
    const path = join(folder, String(number))
    const owner = Number(
      await readFile(join(path, 'stat'), 'utf8').then(
        (text) => text.split(' ')[0],
        () => 0,
      ),
    )
    if (owner === 0) await unlink(path).catch(() => {})
    try {
      // A link to this process's folder in /proc: it dangles once the process is gone.
      await symlink(`/proc/${process.pid}`, path)
      return { number, release: () => unlink(path).catch(() => {}) }
    } catch {
      // Taken.
    }
  }
  throw new Error('too many test engines')
}

async function answers(socketPath: string): Promise<boolean> {
  if (
    !(await access(socketPath).then(
      () => true,
      () => false,
    ))
  )
    return false
  return new Promise((resolve) => {
    const ping = request({ socketPath, path: '/_ping', timeout: 2000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    ping.on('timeout', () => ping.destroy())
    ping.on('error', () => resolve(false))
    ping.end()
  })
}

/** Kills what a killed engine leaves: its containerd and the shims of its containers. */
async function endLeftOvers(folder: string): Promise<void> {
  const { output } = await runProgram('pgrep', ['-f', '--', `${folder}/exec`])
  for (const pid of output.split('\n').map(Number)) {
    if (pid > 1 && pid !== process.pid) killQuietly(pid)
  }
}

/** Unmounts everything below the folder, deepest first. */
export async function unmountBelow(folder: string): Promise<void> {
  const text = await readFile('/proc/self/mountinfo', 'utf8')
  const targets = text
    .split('\n')
    .map((line) => line.split(' ')[4] ?? '')
    .filter((target) => target.startsWith(`${folder}/`))
    .sort((a, b) => b.length - a.length)
  for (const target of targets) await runProgram('umount', ['--lazy', '--', target])
}
