import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { Broadcaster } from '@lodge/driver/broadcaster.ts'
import type { Console } from '@lodge/driver/capabilities/console.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import type { Engine } from './client.ts'
import { frameReader, lastLines, unframed } from './frames.ts'
import { OutputPlaces } from './missed-output.ts'
import { containerName } from './names.ts'

/**
 * One attachment per running server, made before the start and read at full speed whether anybody
 * listens or not: an attachment that is not read stops the program inside at its next line.
 */
export interface Consoles extends Pick<Console, 'follow' | 'write'> {
  /** Attaches to a container that is about to be started, so that not a line of it is lost. */
  attachForStart(serverId: string, signal: AbortSignal): Promise<void>
  /** Attaches to a container that somebody else started, if it runs. */
  attachIfRunning(serverId: string): Promise<void>
  detach(serverId: string): void
  /** Detaches from what is taken away for good. */
  forget(serverId: string): void
  /** The newest lines that the engine kept, also after the end; none when there is no container. */
  tail(serverId: string, lines: number, since?: Date): Promise<readonly string[]>
  close(): void
}

/** A program that does not read its input gets no more than this in advance. */
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

  /** The engine was restarted under a program that went on: listen again, from where it was heard last. */
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

  /** Attaches to what runs; null when nothing does. */
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
      // The attachment of the last run may still hand over its last lines; it ends by itself.
      if (!facts.State.Running) {
        if (attachments.get(serverId) === last) attachments.delete(serverId)
        places.begin(serverId)
      }
      const attached = async () => {
        await attach(serverId, facts.Config.Tty, signal)
        return facts.State.Running ? { containerId: facts.Id, tty: facts.Config.Tty } : null
      }
      // An earlier try may have started it.
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
