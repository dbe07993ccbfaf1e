import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { backoffMs } from '@lodge/shared/backoff.ts'
import type { CallArguments, CallName, CallResult } from './calls.ts'
import { LibvirtError, LibvirtUnavailable } from './fault.ts'
import type { DomainEvent, FromChild, ToChild } from './messages.ts'
import { type StartFailure, startFailure } from './start-failure.ts'

export type PortEvent =
  | DomainEvent
  /** Events are reported from now on. Anything may have changed before. */
  | { readonly kind: 'listening' }
  /** libvirt, or the process that talks to it, is currently unavailable. */
  | { readonly kind: 'deaf' }

/**
 * The only way to libvirt. The native code runs in a child process that is restarted when it dies,
 * so that a crash in it affects neither the agent nor any virtual machine.
 */
export interface LibvirtPort {
  /**
   * Makes one call. Throws `LibvirtError` with exactly this call's error when libvirt reports one,
   * and `LibvirtUnavailable` when libvirt cannot be reached or does not answer in time; the outcome
   * of such a call is unknown.
   */
  call<K extends CallName>(name: K, ...args: CallArguments<K>): Promise<CallResult<K>>
  /** Subscribes to events; the returned function unsubscribes. */
  listen(listener: (event: PortEvent) => void): () => void
  isListening(): boolean
  /** The pid of the child process, or null between two of them. */
  childPid(): number | null
  close(): Promise<void>
}

export interface PortOptions {
  /**
   * For example `qemu:///system`, optionally with `?socket=` and the path of the daemon's socket.
   */
  readonly uri: string
  /** Maximum number of concurrent calls. Default 8. */
  readonly connections?: number
  /**
   * Longest wait for an answer, in milliseconds, unless `DEADLINES_MS` has another. Default 15,000.
   */
  readonly deadlineMs?: number
  readonly log?: (line: string) => void
}

/** Calls that may legitimately take longer. */
const DEADLINES_MS: Partial<Record<CallName, number>> = {
  startDomain: 90_000,
  startPaused: 90_000,
  createTransient: 90_000,
  destroyDomain: 60_000,
  // libvirt waits this long for a guest whose agent accepted the request.
  shutDownDomain: 70_000,
  domainCapabilities: 60_000,
  defineDomain: 60_000,
  // It creates the target of each disk.
  beginBackup: 60_000,
  freezeFileSystems: 30_000,
  thawFileSystems: 30_000,
}
/** A timed-out call may hold its connection for this much longer before it counts as stuck. */
const OVERDUE_MS = 30_000
const RESTARTS = { leastMs: 50, mostMs: 5000 }
const GONE_WITHIN_MS = 5000

interface Waiting {
  readonly resolve: (value: unknown) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

/** Starts the child process; libvirt itself may become available later. */
export function openPort(options: PortOptions): LibvirtPort {
  const { uri, connections = 8, deadlineMs = 15_000, log = () => {} } = options
  const listeners = new Set<(event: PortEvent) => void>()
  const waiting = new Map<number, Waiting>()
  /**
   * Timed-out calls that the child is still working on, with the time after which they count as
   * stuck.
   */
  const overdue = new Map<number, number>()
  let child: ChildProcess | null = null
  let listening = false
  let closed = false
  /** Why the last child died before sending a message; null once one has. */
  let broken: StartFailure | null = null
  let nextId = 1
  let failures = 0
  let restart: NodeJS.Timeout | undefined

  const tell = (event: PortEvent) => {
    for (const listener of listeners) listener(event)
  }

  function launch(): void {
    const own = fork(fileURLToPath(childModule()), [uri, String(connections)], {
      // It only relays messages: a large young generation would stay allocated after a burst.
      execArgv: ['--max-semi-space-size=1'],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      // One thread per connection, one for libvirt's event loop, and some spare.
      env: {
        PATH: process.env.PATH ?? '',
        UV_THREADPOOL_SIZE: String(connections + 8),
        // Otherwise that many threads would each keep a malloc arena of freed memory.
        MALLOC_ARENA_MAX: '2',
      },
    })
    child = own
    let complaint = ''
    let spoke = false
    own.stderr?.setEncoding('utf8').on('data', (text: string) => {
      complaint = (complaint + text).slice(-2000)
    })
    own.on('message', (message: FromChild) => {
      spoke = true
      broken = null
      take(message)
    })
    own.on('error', (error) => log(`The process that talks to libvirt: ${error.message}`))
    own.on('exit', (code, signal) => {
      if (child !== own) return
      child = null
      if (!spoke) broken = startFailure(complaint) ?? broken
      lose(`The process that talks to libvirt ended (${signal ?? `code ${code}`}).`)
      if (closed) return
      log(`The process that talks to libvirt ended (${signal ?? code}). ${complaint.trim()}`)
      restart = setTimeout(launch, backoffMs(failures++, RESTARTS))
    })
  }

  function take(message: FromChild): void {
    if (message.kind === 'event') {
      tell(message.event)
      return
    }
    if (message.kind === 'listening' || message.kind === 'deaf') {
      listening = message.kind === 'listening'
      if (listening) failures = 0
      tell({ kind: message.kind })
      return
    }
    overdue.delete(message.id)
    const own = waiting.get(message.id)
    if (!own) return
    waiting.delete(message.id)
    clearTimeout(own.timer)
    if (message.kind === 'answer') own.resolve(message.value)
    else if (message.kind === 'fault') own.reject(new LibvirtError(message.fault))
    else own.reject(new LibvirtUnavailable(message.message))
  }

  const unavailable = (why: string) =>
    broken ? new LibvirtUnavailable(broken.why, broken.remedy) : new LibvirtUnavailable(why)

  function lose(why: string): void {
    overdue.clear()
    if (listening) tell({ kind: 'deaf' })
    listening = false
    for (const { reject, timer } of waiting.values()) {
      clearTimeout(timer)
      reject(unavailable(why))
    }
    waiting.clear()
  }

  /** Kills the child when stuck calls hold every connection: a native call cannot be cancelled. */
  function giveUp(id: number): void {
    const now = Date.now()
    overdue.set(id, now + OVERDUE_MS)
    const stuck = [...overdue.values()].filter((until) => until <= now).length
    if (stuck < connections && overdue.size < connections * 2) return
    log(`${overdue.size} calls to libvirt are stuck; replacing the child process`)
    child?.kill('SIGKILL')
  }

  launch()
  return {
    call<K extends CallName>(name: K, ...args: CallArguments<K>) {
      return new Promise<CallResult<K>>((resolve, reject) => {
        if (!child?.connected) {
          reject(unavailable('The process that talks to libvirt is being started.'))
          return
        }
        const id = nextId
        nextId += 1
        const timer = setTimeout(() => {
          waiting.delete(id)
          reject(new LibvirtUnavailable(`libvirt did not answer in time (${name}).`))
          giveUp(id)
        }, DEADLINES_MS[name] ?? deadlineMs)
        // The answer has the call's result type: both ends are typed by `calls`.
        waiting.set(id, { resolve: (value) => resolve(value as CallResult<K>), reject, timer })
        child.send({ id, name, args } satisfies ToChild, (error) => {
          if (error) log(`The process that talks to libvirt: ${error.message}`)
        })
      })
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    isListening: () => listening,
    childPid: () => child?.pid ?? null,
    async close() {
      closed = true
      clearTimeout(restart)
      const own = child
      lose('The driver was closed.')
      if (!own) return
      const gone = new Promise((resolve) => own.once('exit', resolve))
      const hard = setTimeout(() => own.kill('SIGKILL'), GONE_WITHIN_MS)
      if (own.connected) own.disconnect()
      await gone
      clearTimeout(hard)
    },
  }
}

/** The child is next to this file, as source or bundled. */
function childModule(): URL {
  const extension = import.meta.filename.endsWith('.ts') ? 'ts' : 'js'
  return new URL(`./child.${extension}`, import.meta.url)
}
