import type { Socket } from 'node:net'
import ssh2 from 'ssh2'
import { openPort } from '../port.ts'
import { type KnownCredential, type SftpGate, SshConnection } from './connection.ts'
import { greet } from './greeting.ts'

const SILENT_MS = 10_000
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

/**
 * What clients of OpenSSH are offered that know AES-GCM: by their own order they would choose AES-CTR,
 * which everybody else needs to be offered.
 */
const GCM_ONLY: ssh2.Algorithms = {
  ...ALGORITHMS,
  cipher: ['aes128-gcm@openssh.com', 'aes256-gcm@openssh.com'],
}
const SOFTWARE = 'Lodge'
const IDENT = `SSH-2.0-${SOFTWARE}\r\n`

export interface SftpPort<Known extends { readonly credential: KnownCredential }> {
  readonly port: number
  readonly connections: ReadonlySet<SshConnection<Known>>
  stop(): Promise<void>
}

/**
 * Every packet is written in three or four parts: those of one turn leave in one system call. Who we
 * are was said before.
 */
function writeTogether(socket: Socket): void {
  const write = socket.write.bind(socket)
  let corked = false
  let greeted = false
  socket.write = ((bytes: Buffer) => {
    if (!greeted) {
      greeted = true
      if (bytes.toString('latin1') === IDENT) return true
    }
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

/**
 * Opens a port on which people reach the files of servers by SFTP, and nothing else.
 * @param given.addressOf the plain spelling of a client's address
 * @param given.keyOf by which an address is counted; undefined for one that is not
 */
export async function openSftpPort<Known extends { readonly credential: KnownCredential }>(
  at: { readonly host: string; readonly port: number },
  given: {
    readonly hostKeys: string[]
    readonly gate: SftpGate<Known>
    readonly addressOf: (address: string) => string
    readonly keyOf: (address: string) => string | undefined
    readonly log: { error(fields: object, message: string): void }
  },
): Promise<SftpPort<Known>> {
  const serving = (algorithms: ssh2.Algorithms) =>
    new ssh2.Server({ hostKeys: given.hostKeys, algorithms, ident: SOFTWARE }).on(
      'connection',
      accept,
    )
  const connections = new Set<SshConnection<Known>>()
  /** Sockets that have not said yet which SSH they speak, by their address and port. */
  const arriving = new Map<string, Socket>()
  function accept(client: ssh2.Connection, { ip, port }: ssh2.ClientInfo): void {
    const socket = arriving.get(`${ip}:${port}`)
    arriving.delete(`${ip}:${port}`)
    const connection = new SshConnection(given.gate, client, {
      address: given.addressOf(ip),
      cut: () => socket?.destroy(),
    })
    connections.add(connection)
    client.once('close', () => connections.delete(connection))
  }
  const everybody = serving(ALGORITHMS)
  const withGcm = serving(GCM_ONLY)
  const opened = await openPort(
    at,
    {
      connections: MOST,
      perAddress: PER_ADDRESS,
      silentMs: SILENT_MS,
      keyOf: given.keyOf,
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
      greet(socket, IDENT, (knowsGcm) => {
        writeTogether(socket)
        const server = knowsGcm ? withGcm : everybody
        // It resumes the socket once it listens.
        server.injectSocket(socket)
      })
    },
    given.log,
  )
  return {
    port: opened.port,
    connections,
    async stop() {
      for (const connection of connections) connection.end()
      await opened.stop()
    },
  }
}
