import { createConnection, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { Broadcaster } from '@lodge/driver/broadcaster.ts'
import type { Console } from '@lodge/driver/capabilities/console.ts'
import { DriverError } from '@lodge/driver/driver.ts'
import { machinePaths } from '../data/layout.ts'
import { newestOutput, trimSerialLog } from './serial-log.ts'

/**
 * The serial consoles. QEMU accepts one client at a time, so the driver holds the only connection
 * from before the guest runs until its end, and distributes the output. Output from before is in
 * the log next to the socket (`serial-log.ts`).
 */
export interface Consoles extends Pick<Console, 'follow' | 'write'> {
  /** Connects to a machine that QEMU has just created. Throws when that fails. */
  attach(serverId: string): Promise<void>
  /** Connects if necessary; returns whether there is a connection. */
  attachIfRunning(serverId: string): Promise<boolean>
  detach(serverId: string): void
  tail(serverId: string, lines: number): Promise<readonly string[]>
  close(): void
}

/** The log's size is checked after this much output. */
const CHECK_BYTES = 1024 * 1024
const UNREAD_INPUT_LIMIT = 64 * 1024
const CONNECT_TRIES = 50
const CONNECT_PAUSE_MS = 50

export function serialConsoles(dataRoot: string): Consoles {
  const sockets = new Map<string, Socket>()
  const opening = new Map<string, Promise<Socket>>()
  const broadcaster = new Broadcaster()
  const unchecked = new Map<string, number>()
  let closed = false

  async function open(serverId: string): Promise<Socket> {
    const socket = await connected(machinePaths(dataRoot, serverId).serialSocket)
    if (closed) {
      socket.destroy()
      throw new DriverError('not_running', 'The driver was closed.')
    }
    sockets.set(serverId, socket)
    trimIfDue(serverId, 0)
    socket.on('data', (chunk: Buffer) => {
      trimIfDue(serverId, chunk.length)
      broadcaster.hand(serverId, chunk)
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      if (sockets.get(serverId) !== socket) return
      sockets.delete(serverId)
      unchecked.delete(serverId)
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

  /** Errors are ignored: at worst the log grows. */
  function trimIfDue(serverId: string, bytes: number): void {
    const sum = (unchecked.get(serverId) ?? CHECK_BYTES) + bytes
    unchecked.set(serverId, sum < CHECK_BYTES ? sum : 0)
    if (sum < CHECK_BYTES) return
    void trimSerialLog(machinePaths(dataRoot, serverId).serialLog).catch(() => {})
  }

  const consoles: Consoles = {
    async attach(serverId) {
      // The connection of an earlier run may not be closed yet.
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
      // Unlike `destroy`, this still delivers what has arrived.
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
