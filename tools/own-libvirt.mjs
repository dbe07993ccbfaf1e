// libvirt on a machine where no systemd starts it. Its daemons outlive us, and machines outlive them.
import { spawn } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import net from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { findProgram, say } from './place.mjs'

const daemons = [
  // Where QEMU writes what it has to say; without it no machine starts.
  { program: 'virtlogd', socket: '/run/libvirt/virtlogd-sock' },
  { program: 'libvirtd', socket: '/run/libvirt/libvirt-sock' },
]
const lookEveryMs = 2_000
const backoffMs = [0, 2_000, 10_000, 60_000]

/**
 * Starts libvirt's daemons whenever they do not answer, until `stop`, which ends the watching and not
 * them. Nothing is done where systemd looks after them, where they are not installed, and without root.
 */
export function keepLibvirt() {
  const stopping = new AbortController()
  const { signal } = stopping
  const wait = (ms) => pause(ms, undefined, { ref: false, signal })

  async function watch({ program, socket }) {
    for (let failures = 0; ; ) {
      if (!isOurs(program) || (await answers(socket))) failures = 0
      else {
        await wait(backoffMs[Math.min(failures, backoffMs.length - 1)])
        failures += 1
        say(`Starting ${program} ...`)
        mkdirSync('/run/libvirt', { recursive: true, mode: 0o755 })
        // A session of its own: Ctrl-C ends the panel, not the machines.
        const daemon = spawn(findProgram(program), [], { detached: true, stdio: 'ignore' })
        daemon.on('error', (error) => say(`${program} did not start: ${error.message}`))
        daemon.unref()
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

const isOurs = (program) =>
  process.getuid() === 0 && !existsSync('/run/systemd/system') && findProgram(program) !== undefined

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
