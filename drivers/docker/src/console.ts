import type { Duplex } from 'node:stream'
import { setTimeout as delay } from 'node:timers/promises'
import { DriverError } from '@lodge/driver/driver.ts'
import type { Engine } from './client.ts'
import { frameReader, lastLines, unframed } from './frames.ts'
import { containerName } from './names.ts'

/**
 * One attachment per running server, made before the start and read at full speed whether anybody
 * listens or not: an attachment that is not read stops the program inside at its next line.
 */
export interface Consoles {
  /** Attaches to a container that is about to be started, so that not a line of it is lost. */
  attachForStart(serverId: string, signal: AbortSignal): Promise<void>
  /** Attaches to a container that somebody else started, if it runs. */
  attachIfRunning(serverId: string): Promise<void>
  detach(serverId: string): void
  follow(
    serverId: string,
    onOutput: (chunk: Uint8Array) => void,
    signal: AbortSignal,
  ): Promise<void>
  write(serverId: string, bytes: Uint8Array): Promise<void>
  /** The newest lines that the engine kept, also after the end; none when there is no container. */
  tail(serverId: string, lines: number): Promise<readonly string[]>
  close(): void
}

/** A program that does not read its input gets no more than this in advance. */
const UNREAD_INPUT_LIMIT = 1024 * 1024
const REATTACH_TRIES = 60

export function serverConsoles(engine: Engine, scope: string): Consoles {
  const attachments = new Map<string, Duplex>()
  const opening = new Map<string, Promise<void>>()
  const followers = new Map<string, Set<(chunk: Uint8Array) => void>>()
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
      frameReader(tty, (chunk) => hand(serverId, chunk)),
    )
    socket.on('error', () => {})
    socket.on('close', () => {
      if (attachments.get(serverId) !== socket) return
      attachments.delete(serverId)
      void reattach(serverId)
    })
    if (closed) socket.destroy()
  }

  function hand(serverId: string, chunk: Uint8Array): void {
    for (const follower of followers.get(serverId) ?? []) {
      try {
        follower(chunk)
      } catch {
        // A reader's failure is its own.
      }
    }
  }

  /** The engine was restarted under a program that went on: listen again. */
  async function reattach(serverId: string): Promise<void> {
    for (let attempt = 0; attempt < REATTACH_TRIES && !closed; attempt += 1) {
      try {
        return await consoles.attachIfRunning(serverId)
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

  const factsOf = (serverId: string) =>
    engine.find((abortSignal) => container(serverId).inspect({ abortSignal }))

  const consoles: Consoles = {
    async attachForStart(serverId, signal) {
      const last = attachments.get(serverId)
      const facts = await engine.call(
        (abortSignal) => container(serverId).inspect({ abortSignal }),
        { signal },
      )
      // The attachment of the last run may still hand over its last lines; it ends by itself.
      if (!facts.State.Running && attachments.get(serverId) === last) attachments.delete(serverId)
      await attach(serverId, facts.Config.Tty, signal)
    },
    async attachIfRunning(serverId) {
      if (attachments.has(serverId)) return
      const facts = await factsOf(serverId)
      if (facts?.State.Running) await attach(serverId, facts.Config.Tty)
    },
    detach(serverId) {
      const socket = attachments.get(serverId)
      attachments.delete(serverId)
      socket?.destroy()
    },
    async follow(serverId, onOutput, signal) {
      if (signal.aborted) return
      const own = followers.get(serverId) ?? new Set()
      followers.set(serverId, own)
      own.add(onOutput)
      // Nothing is handed over once the reader has gone, not even in the same turn.
      const leave = () => {
        own.delete(onOutput)
        if (own.size === 0 && followers.get(serverId) === own) followers.delete(serverId)
      }
      await new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => resolve(leave()), { once: true })
        consoles.attachIfRunning(serverId).catch(() => {})
      })
    },
    async write(serverId, bytes) {
      await consoles.attachIfRunning(serverId)
      const socket = attachments.get(serverId)
      if (!socket?.writable) throw new DriverError('not_running', 'The server is not running.')
      if (socket.writableLength > UNREAD_INPUT_LIMIT) {
        throw new DriverError('timeout', 'The server does not read its input.', { retryable: true })
      }
      socket.write(bytes)
    },
    async tail(serverId, lines) {
      if (lines <= 0) return []
      const own = container(serverId)
      const [facts, bytes] = await Promise.all([
        engine.find((abortSignal) => own.inspect({ abortSignal })),
        engine.find((abortSignal) =>
          own.logs({ stdout: true, stderr: true, tail: lines, follow: false, abortSignal }),
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
