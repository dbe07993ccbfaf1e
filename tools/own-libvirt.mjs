// libvirt on a machine without systemd. Its daemons outlive this process, and machines outlive
// them.
import { spawn } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { backoffMs } from '../shared/src/backoff.ts'
import { findProgram, say } from './place.mjs'

const daemons = [
  // Receives QEMU's log output; without it no machine starts.
  { program: 'virtlogd', socket: '/run/libvirt/virtlogd-sock' },
  { program: 'libvirtd', socket: '/run/libvirt/libvirt-sock' },
]
const endsWithinMs = 20_000
const lookEveryMs = 2_000
/** A daemon that runs but does not answer for so long is given up: Debian's takes seconds. */
const answersWithinMs = 60_000
/** No delay for the first restart. */
const pauseMs = (failures) =>
  failures === 0 ? 0 : backoffMs(failures - 1, { leastMs: 2_000, mostMs: 60_000 })

/**
 * Starts the daemons of libvirt whenever they do not answer, until `stop`, which ends the
 * supervision and not the daemons. Does nothing where systemd manages them, where they are not
 * installed, or without root.
 * @param dataFolder records the pids of started daemons here, for the uninstaller
 */
export function keepLibvirt(dataFolder) {
  const stopping = new AbortController()
  const { signal } = stopping
  const wait = (ms) => pause(ms, undefined, { ref: false, signal })

  async function watch({ program, socket }) {
    for (let failures = 0; ; ) {
      if (!isOurs(program) || (await answers(socket))) failures = 0
      else {
        await wait(pauseMs(failures))
        failures += 1
        say(`Starting ${program} ...`)
        mkdirSync('/run/libvirt', { recursive: true, mode: 0o755 })
        if (program === 'libvirtd') openKvm()
        // In a session of its own, so that Ctrl-C ends the panel and not the machines.
        const daemon = spawn(findProgram(program), [], { detached: true, stdio: 'ignore' })
        daemon.on('error', (error) => say(`${program} did not start: ${error.message}`))
        daemon.unref()
        if (daemon.pid) {
          writeFileSync(pidFile(dataFolder, program), String(daemon.pid))
          // A second one would end at once, and its pid would replace that of the one that runs.
          await untilAnswers(daemon, socket, wait)
        }
      }
      await wait(lookEveryMs)
    }
  }

  const ended = Promise.all(
    daemons.map((daemon) =>
      watch(daemon).catch((error) => {
        if (!signal.aborted) throw error
      }),
    ),
  )
  return {
    async stop() {
      stopping.abort()
      await ended
    },
    kill: () => stopping.abort(),
  }
}

const pidFile = (dataFolder, program) => path.join(dataFolder, `${program}.pid`)

/** The libvirt daemons that we started and that are running. */
export function ownLibvirt(dataFolder) {
  return daemons.flatMap(({ program }) => {
    try {
      const pid = Number(readFileSync(pidFile(dataFolder, program), 'utf8'))
      const name = readFileSync(`/proc/${pid}/comm`, 'utf8').trim()
      return name === program ? [{ program, pid }] : []
    } catch {
      return []
    }
  })
}

/** Stops one of them. */
export async function endOwnLibvirt(pid) {
  process.kill(pid, 'SIGTERM')
  for (const deadline = Date.now() + endsWithinMs; existsSync(`/proc/${pid}`); await pause(100)) {
    if (Date.now() > deadline) throw new Error('it does not end')
  }
}

const isOurs = (program) =>
  process.getuid() === 0 && !existsSync('/run/systemd/system') && findProgram(program) !== undefined

async function untilAnswers(daemon, socket, wait) {
  const deadline = Date.now() + answersWithinMs
  while (daemon.exitCode === null && daemon.signalCode === null && Date.now() < deadline) {
    if (await answers(socket)) return
    await wait(200)
  }
}

function answers(socket) {
  return new Promise((resolve) => {
    const call = net.connect(socket)
    const end = (isThere) => {
      call.destroy()
      resolve(isThere)
    }
    call.on('connect', () => end(true))
    call.on('error', () => end(false))
    call.setTimeout(3_000, () => end(false))
  })
}

/**
 * Does what udev does where it runs: lets QEMU's user open the device. If only root may open it,
 * libvirt probes QEMU again on every call, which takes seconds each time.
 */
function openKvm() {
  const device = statSync('/dev/kvm', { throwIfNoEntry: false })
  const group = groupId('kvm')
  if (group === undefined || !device || device.gid !== 0 || (device.mode & 0o066) !== 0) return
  chownSync('/dev/kvm', device.uid, group)
  chmodSync('/dev/kvm', 0o660)
}

function groupId(name) {
  const line = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find((one) => one.startsWith(`${name}:`))
  return line === undefined ? undefined : Number(line.split(':')[2])
}
