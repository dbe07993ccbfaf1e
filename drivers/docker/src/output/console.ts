import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { Broadcaster } from '@lodge/driver/broadcaster.ts'
import type { Console } from '@lodge/driver/capabilities/console.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { Engine } from '../engine/client.ts'
import { containerName } from '../engine/names.ts'
import { frameReader, lastLines, unframed } from './frames.ts'
import { OutputPlaces } from './missed-output.ts'

/**
 * One attachment per running server, opened before the start and drained at full speed whether or
 * not anyone follows it: a container blocks on its next write when its attachment is not read.
 */
export interface Consoles extends Pick<Console, 'follow' | 'write'> {
  /** Attaches to a container that is about to start, so that no output is lost. */
  attachForStart(serverId: string, signal: AbortSignal): Promise<void>
  /** Attaches to a container that something else started, if it is running. */
  attachIfRunning(serverId: string): Promise<void>
  detach(serverId: string): void
  /** Detaches from a container that is being removed. */
  forget(serverId: string): void
  /**
   * The newest lines in the engine's log, kept after the exit as well; empty when there is no
   * container.
   */
  tail(serverId: string, lines: number, since?: Date): Promise<readonly string[]>
  close(): void
}

/** Limit on input buffered for a program that does not read it. */
const UNREAD_INPUT_LIMIT = 1024 * 1024
const REATTACH_TRIES = 60

export function serverConsoles(engine: Engine, scope: string): Consoles {
  const attachments = new Map<string, Duplex>()
  const opening = new Map<string, Promise<void>>()
  const broadcaster = new Broadcaster()
  const places = new OutputPlaces(engine, (serverId, chunk) => broadcaster.hand(serverId, chunk))
  let closed = false

  const container = (serverId: string) =>
    engine.docker.getContainer(containerName(scope, serverId, 'run'))

  async function open(serverId: string, tty: boolean, signal?: AbortSignal): Promise<void> {
    const socket = (await engine.call(
      (abortSignal) =>
        container(serverId).attach({
          stream: true,
          stdin: true,
          stdout: true,
          stderr: true,
          hijack: true,
          abortSignal,
        }),
      { signal },
    )) as Duplex
    attachments.set(serverId, socket)
    socket.on(
      'data',
      frameReader(tty, (chunk) => places.heard(serverId, chunk)),
    )
    socket.on('error', () => {})
    socket.on('close', () => {
      if (attachments.get(serverId) !== socket) return
      attachments.delete(serverId)
      void reattach(serverId)
    })
    if (closed) socket.destroy()
  }

  /**
   * After a restart of the engine under a running program: attaches again and continues where the
   * output stopped.
   */
  async function reattach(serverId: string): Promise<void> {
    for (let attempt = 0; attempt < REATTACH_TRIES && !closed; attempt += 1) {
      try {
        return await places.catchUp(serverId, () => attachRunning(serverId))
      } catch {
        await delay(500, undefined, { ref: false })
      }
    }
  }

  async function attach(serverId: string, tty: boolean, signal?: AbortSignal): Promise<void> {
    if (attachments.has(serverId) || closed) return
    const work =
      opening.get(serverId) ?? open(serverId, tty, signal).finally(() => opening.delete(serverId))
    opening.set(serverId, work)
    await work
  }

  /** Attaches if the container is running; null otherwise. */
  async function attachRunning(serverId: string) {
    const facts = await engine.find((abortSignal) => container(serverId).inspect({ abortSignal }))
    if (!facts?.State.Running) return null
    await attach(serverId, facts.Config.Tty)
    return { containerId: facts.Id, tty: facts.Config.Tty }
  }

  const consoles: Consoles = {
    async attachForStart(serverId, signal) {
      const last = attachments.get(serverId)
      const facts = await engine.call(
        (abortSignal) => container(serverId).inspect({ abortSignal }),
        { signal },
      )
      // The previous run's attachment may still deliver its last lines, so it is replaced, not
      // closed.
      if (!facts.State.Running) {
        if (attachments.get(serverId) === last) attachments.delete(serverId)
        places.begin(serverId)
      }
      const attached = async () => {
        await attach(serverId, facts.Config.Tty, signal)
        return facts.State.Running ? { containerId: facts.Id, tty: facts.Config.Tty } : null
      }
      // An earlier attempt may have started it.
      if (facts.State.Running) await places.catchUp(serverId, attached)
      else await attached()
    },
    async attachIfRunning(serverId) {
      if (!attachments.has(serverId)) await attachRunning(serverId)
    },
    detach(serverId) {
      const socket = attachments.get(serverId)
      attachments.delete(serverId)
      socket?.destroy()
    },
    forget(serverId) {
      consoles.detach(serverId)
      places.forget(serverId)
    },
    follow: (serverId, onOutput, signal) =>
      broadcaster.follow(serverId, onOutput, signal, () => {
        consoles.attachIfRunning(serverId).catch(() => {})
      }),
    async write(serverId, bytes) {
      await consoles.attachIfRunning(serverId)
      const socket = attachments.get(serverId)
      if (!socket?.writable) throw new DriverError('not_running', 'The server is not running.')
      if (socket.writableLength > UNREAD_INPUT_LIMIT) {
        throw new DriverError('timeout', 'The server does not read its input.', { retryable: true })
      }
      socket.write(bytes)
    },
    async tail(serverId, lines, since) {
      if (lines <= 0) return []
      const own = container(serverId)
      const [facts, bytes] = await Promise.all([
        engine.find((abortSignal) => own.inspect({ abortSignal })),
        engine.find((abortSignal) =>
          own.logs({
            stdout: true,
            stderr: true,
            tail: lines,
            since: since ? (since.getTime() / 1000).toFixed(3) : 0,
            follow: false,
            abortSignal,
          }),
        ),
      ])
      if (!facts || !bytes) return []
      const raw = Buffer.isBuffer(bytes) ? bytes : Buffer.from(String(bytes))
      return lastLines(unframed(facts.Config.Tty, raw).toString('utf8'), lines)
    },
    close() {
      closed = true
      for (const socket of attachments.values()) socket.destroy()
      attachments.clear()
    },
  }
  return consoles
}
