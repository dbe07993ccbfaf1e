import type { Socket } from 'node:net'
import { addressSet, networkOf } from '@lodge/shared/addresses.ts'
import ssh2 from 'ssh2'
import { openPort } from '../../ports/admission.ts'
import type { Services } from '../../services.ts'
import { openHostKeys } from './host-keys.ts'
import { rechecking } from './recheck.ts'
import { SshConnection } from './ssh-connection.ts'

const SILENT_MS = 10_000
const RECHECK_MS = 1_000
const PER_ADDRESS = 64
const MOST = 2_000

/** Forward secrecy and authenticated encryption; what clients of the last ten years speak. */
const ALGORITHMS: ssh2.Algorithms = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group14-sha256',
  ],
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com', 'aes128-ctr', 'aes256-ctr'],
  hmac: [
    'hmac-sha2-256-etm@openssh.com',
    'hmac-sha2-512-etm@openssh.com',
    'hmac-sha2-256',
    'hmac-sha2-512',
  ],
  compress: ['none'],
}

interface SshServer {
  readonly port: number
  stop(): Promise<void>
}

/** Every packet is written in three or four parts: those of one turn leave in one system call. */
function writeTogether(socket: Socket): void {
  const write = socket.write.bind(socket)
  let corked = false
  socket.write = ((bytes: Buffer) => {
    if (!corked) {
      corked = true
      socket.cork()
      process.nextTick(() => {
        corked = false
        socket.uncork()
      })
    }
    return write(bytes)
  }) as Socket['write']
}

/** Opens the port on which people reach the files of their servers by SFTP, and nothing else. */
export async function openSshServer(
  services: Services,
  at: { readonly host: string; readonly port: number },
): Promise<SshServer> {
  const { log } = services
  const server = new ssh2.Server({
    hostKeys: await openHostKeys(services),
    algorithms: ALGORITHMS,
    ident: 'Lodge',
  })
  const connections = new Set<SshConnection>()
  /** Sockets that have not said yet which SSH they speak, by their address and port. */
  const arriving = new Map<string, Socket>()
  server.on('connection', (client: ssh2.Connection, { ip, port }: ssh2.ClientInfo) => {
    const socket = arriving.get(`${ip}:${port}`)
    arriving.delete(`${ip}:${port}`)
    const connection = new SshConnection(services, client, {
      address: ip,
      cut: () => socket?.destroy(),
    })
    connections.add(connection)
    client.once('close', () => connections.delete(connection))
  })

  const recheck = rechecking(services, connections)
  let checking = false
  const timer = setInterval(() => {
    if (checking) return
    checking = true
    recheck()
      .catch((error: unknown) => log.warn({ err: error }, 'could not check the SFTP connections'))
      .finally(() => {
        checking = false
      })
  }, RECHECK_MS)
  timer.unref()

  const isLocal = addressSet(['127.0.0.0/8', '::1'])
  const opened = await openPort(
    at,
    {
      connections: MOST,
      perAddress: PER_ADDRESS,
      silentMs: SILENT_MS,
      keyOf: (address) => (isLocal(address) ? undefined : networkOf(address)),
      paused: true,
    },
    (socket) => {
      const peer = `${socket.remoteAddress}:${socket.remotePort}`
      arriving.set(peer, socket)
      const timer = setTimeout(() => arriving.get(peer) === socket && socket.destroy(), SILENT_MS)
      socket.once('close', () => {
        clearTimeout(timer)
        if (arriving.get(peer) === socket) arriving.delete(peer)
      })
      writeTogether(socket)
      server.injectSocket(socket)
      socket.resume()
    },
    log,
  ).catch((error: unknown) => {
    clearInterval(timer)
    throw error
  })
  return {
    port: opened.port,
    async stop() {
      clearInterval(timer)
      for (const connection of connections) connection.end()
      await opened.stop()
    },
  }
}
