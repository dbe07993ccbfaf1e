import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { runProgram } from '@lodge/driver/run-program.ts'
import { PROCESS } from './protocol.ts'

/** Where a guard lives, and what it runs. */
export interface GuardPlaces {
  /** Its own, below /run. */
  readonly folder: string
  /** What it has ended, in the data folder. */
  readonly recordFile: string
  /** Distinguishes the guards of several agents on one machine. */
  readonly scope: string
  /** The path of the bundled program, which stays the same when the agent is updated. */
  readonly prefix: string | undefined
}

/** Little memory of its own, and none that it would have to wait for. */
const NODE_OPTIONS = ['--max-old-space-size=32', '--max-semi-space-size=1']
const GONE_WITHIN_MS = 2_000
const LOOK_EVERY_MS = 20

/** Where systemd runs, the guard is a unit: systemd starts it again even while there is no agent. */
const hasSystemd = () => existsSync('/run/systemd/system') && process.getuid?.() === 0
const unitOf = (scope: string) => `lodge-guard-${scope}`

function programOf({ prefix }: GuardPlaces): { node: string; script: string } {
  if (prefix !== undefined)
    return { node: join(prefix, 'bin/node'), script: join(prefix, 'agent/src/guard/process.js') }
  const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
  const script = fileURLToPath(new URL(`./process.${extension}`, import.meta.url))
  return { node: process.execPath, script }
}

/** Of the program that `launchGuard` would start. */
export const guardBuild = (places: GuardPlaces): string =>
  createHash('sha256')
    .update(readFileSync(programOf(places).script))
    .digest('hex')

/**
 * Starts a guard that outlives this process, instead of one that does not answer.
 * @throws Error when it cannot be started
 */
export async function launchGuard(places: GuardPlaces): Promise<void> {
  const { folder, recordFile, scope } = places
  await endGuard(places)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const { node, script } = programOf(places)
  const command = [node, ...NODE_OPTIONS, script, folder, recordFile]
  if (hasSystemd()) {
    const properties = [
      ...['Restart=on-failure', 'RestartSec=200ms', 'StartLimitIntervalSec=0'],
      ...['OOMScoreAdjust=-999', 'KillSignal=SIGKILL', 'TimeoutStopSec=2'],
    ]
    const { code, output } = await runProgram('systemd-run', [
      ...['--quiet', '--collect', `--unit=${unitOf(scope)}`],
      '--description=Lodge guard: ends servers whose lease has ended',
      ...properties.map((property) => `--property=${property}`),
      '--',
      ...command,
    ])
    if (code === 0) return
    throw new Error(`systemd-run: ${output.trim()}`)
  }
  const child = spawn(node, command.slice(1), {
    // A session of its own: no signal to the agent's group reaches it.
    detached: true,
    stdio: 'ignore',
    cwd: '/',
    env: {},
  })
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', reject)
  })
  child.unref()
}

/** Ends the guard whether it answers or not; what it knows stays for the next one. */
export async function endGuard(places: GuardPlaces): Promise<void> {
  if (hasSystemd())
    await runProgram('systemctl', ['stop', '--quiet', `${unitOf(places.scope)}.service`])
  for (const began = performance.now(); ; await delay(LOOK_EVERY_MS)) {
    const pid = await guardPid(places.folder)
    if (pid === null) return
    if (performance.now() - began > GONE_WITHIN_MS)
      throw new Error(`The guard (process ${pid}) does not end.`)
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // Already gone.
    }
  }
}

/** The process of the guard with this folder; null when there is none. */
export async function guardPid(folder: string): Promise<number | null> {
  const pid = Number(await readFile(join(folder, PROCESS), 'utf8').catch(() => ''))
  if (!Number.isInteger(pid) || pid <= 1) return null
  // Another process may have its number by now.
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return line.includes('/guard/process.') && line.split('\0').includes(folder) ? pid : null
}
