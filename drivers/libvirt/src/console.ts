import { createConnection, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Broadcaster } from '@lodge/driver/broadcaster.ts'
import type { Console } from '@lodge/driver/capabilities/console.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { machinePaths } from './layout.ts'
import { newestOutput, trimSerialLog } from './serial-log.ts'

/**
 * The serial lines. QEMU talks to one client at a time, so we hold the only connection from before the
 * guest runs until its end and hand what comes to whoever wants it. What came before is in the log that
 * is kept beside the line (`serial-log.ts`).
 */
export interface Consoles extends Pick<Console, 'follow' | 'write'> {
  /** Connects to a machine that QEMU has just made. Throws when there is no connection to be had. */
  attach(serverId: string): Promise<void>
  /** Connects unless we are; whether it worked is answered. */
  attachIfRunning(serverId: string): Promise<boolean>
  detach(serverId: string): void
  tail(serverId: string, lines: number): Promise<readonly string[]>
  close(): void
}

/** After so much output the log is looked at. */
const LOOK_BYTES = 1024 * 1024
const UNREAD_INPUT_LIMIT = 64 * 1024
const CONNECT_TRIES = 50
const CONNECT_PAUSE_MS = 50

export function serialConsoles(dataRoot: string): Consoles {
  const sockets = new Map<string, Socket>()
  const opening = new Map<string, Promise<Socket>>()
  const broadcaster = new Broadcaster()
  const unlooked = new Map<string, number>()
  let closed = false

  async function open(serverId: string): Promise<Socket> {
    const socket = await connected(machinePaths(dataRoot, serverId).serialSocket)
    if (closed) {
      socket.destroy()
      throw new DriverError('not_running', 'The driver was closed.')
    }
    sockets.set(serverId, socket)
    tend(serverId, 0)
    socket.on('data', (chunk: Buffer) => {
      tend(serverId, chunk.length)
      broadcaster.hand(serverId, chunk)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (sockets.get(serverId) !== socket) return
      sockets.delete(serverId)
      unlooked.delete(serverId)
    })
    return socket
  }

  function attached(serverId: string): Promise<Socket> {
    const known = sockets.get(serverId)
    if (known && !known.destroyed) return Promise.resolve(known)
    const work = opening.get(serverId) ?? open(serverId).finally(() => opening.delete(serverId))
    opening.set(serverId, work)
    return work
  }

  /** A log that cannot be kept small is a log that grows, and nothing else. */
  function tend(serverId: string, bytes: number): void {
    const sum = (unlooked.get(serverId) ?? LOOK_BYTES) + bytes
    unlooked.set(serverId, sum < LOOK_BYTES ? sum : 0)
    if (sum < LOOK_BYTES) return
    void trimSerialLog(machinePaths(dataRoot, serverId).serialLog).catch(() => {})
  }

  const consoles: Consoles = {
    async attach(serverId) {
      // The connection of an earlier run may still be on its way out.
      consoles.detach(serverId)
      for (let left = CONNECT_TRIES; ; left -= 1) {
        try {
          await attached(serverId)
          return
        } catch (error) {
          if (left <= 0 || closed) throw error
          await delay(CONNECT_PAUSE_MS)
        }
      }
    },
    async attachIfRunning(serverId) {
      return attached(serverId).then(
        () => true,
        () => false,
      )
    },
    detach(serverId) {
      const socket = sockets.get(serverId)
      sockets.delete(serverId)
      // What has arrived is still handed over; `destroy` would throw it away.
      socket?.destroySoon()
    },
    follow: (serverId, onOutput, signal) =>
      broadcaster.follow(serverId, onOutput, signal, () => {
        void attached(serverId).catch(() => {})
      }),
    async write(serverId, bytes) {
      const socket = await attached(serverId).catch(() => null)
      if (!socket?.writable) throw new DriverError('not_running', 'The server is not running.')
      if (socket.writableLength > UNREAD_INPUT_LIMIT)
        throw new DriverError('timeout', 'The server does not read its input.', {
          retryable: true,
        })
      socket.write(bytes)
    },
    async tail(serverId, lines) {
      if (lines <= 0) return []
      const text = await newestOutput(machinePaths(dataRoot, serverId).serialLog)
      const all = text.split(/\r*\n/)
      if (all.at(-1) === '') all.pop()
      return all.slice(-lines)
    },
    close() {
      closed = true
      for (const socket of sockets.values()) socket.destroy()
      sockets.clear()
    },
  }
  return consoles
}

function connected(path: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(path)
    socket.once('error', reject)
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve(socket)
    })
  })
}
