import { createConnection } from 'node:net'
import { ignore, initialize, setErrorPrinter } from './bindings.ts'
import { calls } from './calls.ts'
import type { Connection } from './connection.ts'
import { LibvirtError, LibvirtUnavailable } from './fault.ts'
import { listen, startEventLoop } from './listen.ts'
import type { FromChild, ToChild } from './messages.ts'
import { connectionPool } from './pool.ts'

/**
 * The process that talks to libvirt: `child.ts <uri> <connections>`. It holds no state that a
 * successor could not rebuild, so it may die at any time, even by a crash in native code.
 */
const LAST_WORDS_MS = 2000

const [uri = 'qemu:///system', size = '8'] = process.argv.slice(2)

const send = (message: FromChild) => {
  if (process.connected) process.send?.(message, () => {})
}

const life = new AbortController()
const loop = startEventLoop()
initialize()
setErrorPrinter(null, ignore)
const pool = connectionPool(uri, Number(size), whyUnreachable)
const listening = listen(
  uri,
  {
    onEvent: (event) => send({ kind: 'event', event }),
    onListening: () => send({ kind: 'listening' }),
    onDeaf: () => send({ kind: 'deaf' }),
  },
  life.signal,
)

process.on('message', (message: ToChild) => void answer(message))
process.on('disconnect', () => void end())
// Ctrl+C reaches the agent's whole process group; the agent still has calls to make.
process.on('SIGINT', () => {})

async function answer({ id, name, args }: ToChild): Promise<void> {
  try {
    // Arguments and names come from `openPort`, whose types are those of `calls`.
    const call = calls[name] as (connection: Connection, ...args: unknown[]) => Promise<unknown>
    const value = await pool.lend((connection) => call(connection, ...args))
    send({ kind: 'answer', id, value })
  } catch (error) {
    if (error instanceof LibvirtError) {
      const { code, domain, message } = error
      send({ kind: 'fault', id, fault: { code, domain, message } })
    } else {
      const message = error instanceof Error ? error.message : String(error)
      send({ kind: 'unavailable', id, message })
    }
  }
}

/**
 * libvirt stores the reason on the thread that failed, which cannot be accessed here, so this
 * probes the socket instead.
 */
async function whyUnreachable(): Promise<Error> {
  const socket = new URL(uri).searchParams.get('socket') ?? '/run/libvirt/libvirt-sock'
  const code = await new Promise<string>((resolve) => {
    const connection = createConnection(socket)
    connection.on('connect', () => {
      connection.destroy()
      resolve('it refused us')
    })
    connection.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  })
  return new LibvirtUnavailable(`libvirt cannot be reached at ${socket}: ${code}`)
}

async function end(): Promise<void> {
  // Skips exit handlers: a libvirt thread may be running while they destroy its data.
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), LAST_WORDS_MS)
  life.abort()
  await listening
  await pool.close()
  await loop.stop()
  process.kill(process.pid, 'SIGKILL')
}
