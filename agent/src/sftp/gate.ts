import http from 'node:http'
import type { Duplex } from 'node:stream'
import { SFTP_PATH, SFTP_PROTOCOL } from '@lodge/shared/files.ts'
import { collectAfter } from '@lodge/shared/local/collector.ts'
import { connectChannel, refuseChannel } from '@lodge/shared/local/ssh/channel.ts'
import type { SftpGate } from '@lodge/shared/local/ssh/connection.ts'
import { type SftpAdmission, SftpSignIn } from '@lodge/shared/sftp-nodes.ts'
import type { Logger } from 'pino'
import type { SftpJudge } from './control-plane.ts'

const PER_SERVER = 63
const ANSWER_MS = 20_000

/** Somebody whom the control plane has admitted. */
export interface Guest {
  readonly credential: SftpAdmission['credential']
  readonly admission: SftpAdmission
  /** Of the last look at what they may. */
  mark: string
  changedMs: number
  lookedMs: number
  /** When the last question was asked that the control plane has answered. */
  heardMs: number
}

export function guestOf(admission: SftpAdmission): Guest {
  const nowMs = performance.now()
  const { credential, mark } = admission
  return { credential, admission, mark, changedMs: nowMs, lookedMs: nowMs, heardMs: nowMs }
}

/** How a question about a guest names them. */
export const aboutOf = ({ admission, credential: { kind, id } }: Guest, address: string) => ({
  ...{ userId: admission.userId, serverId: admission.serverId, address },
  credential: { kind, id },
})

/**
 * Lets in whom the control plane admits, and connects them to the files of their server. Nobody is let
 * in while the control plane cannot be asked.
 */
export function sftpGate(given: {
  readonly judge: SftpJudge
  /** Opens a connection to the file service of a server. Throws `DriverError`. */
  readonly connect: (serverId: string) => Promise<Duplex>
  readonly log: Logger
}): SftpGate<Guest> {
  const { judge, connect, log } = given
  const channels = new Map<string, number>()

  async function admitted(question: Parameters<SftpJudge['signIn']>[0]) {
    // What no account can have is refused like anything else that is wrong.
    if (!SftpSignIn.safeParse(question).success) return undefined
    const { admitted } = await judge.signIn(question)
    return admitted ? guestOf(admitted) : undefined
  }

  function enter(serverId: string): (() => void) | undefined {
    const count = channels.get(serverId) ?? 0
    if (count >= PER_SERVER) return undefined
    channels.set(serverId, count + 1)
    return () => {
      const left = (channels.get(serverId) ?? 1) - 1
      if (left > 0) channels.set(serverId, left)
      else channels.delete(serverId)
    }
  }

  return {
    log,
    byPassword: (question) => admitted({ by: 'password', ...question }),
    byKey: ({ blob, ...question }) =>
      admitted({ by: 'key', ...question, key: blob.toString('base64') }),
    failed: async (address) => !(await judge.signIn({ by: 'nothing', address })).over,
    async welcome(guest, address) {
      await judge.signIn({ by: 'proof', ...aboutOf(guest, address) })
    },
    async open(guest, address, channel, ends) {
      const [now] = await judge.standings([{ ...aboutOf(guest, address), mark: null }])
      if (now?.now !== 'admitted' || now.standing !== guest.admission.standing) return false
      const { serverId } = guest.admission
      const leave = enter(serverId)
      if (!leave) {
        refuseChannel(channel, 'This server has too many connections: close some')
        return true
      }
      channel.once('close', leave)
      try {
        const stream = await upgraded(await connect(serverId), now.headers)
        ends.gone.addEventListener('abort', () => stream.destroy(), { once: true })
        if (ends.gone.aborted) stream.destroy()
        connectChannel(channel, stream, ends)
      } catch (error) {
        log.warn({ err: error, serverId }, 'could not open SFTP')
        refuseChannel(channel, 'The files of the server could not be opened: try again in a moment')
      }
      return true
    },
  }
}

/** Goes on as SFTP with these rights. Destroys the socket if that fails. */
async function upgraded(
  socket: Duplex,
  headers: Readonly<Record<string, string>>,
): Promise<Duplex> {
  const answer = Promise.withResolvers<Buffer>()
  const request = http.request({
    createConnection: () => socket,
    path: SFTP_PATH,
    setHost: false,
    headers: { host: 'lodge', connection: 'Upgrade', upgrade: SFTP_PROTOCOL, ...headers },
    signal: AbortSignal.timeout(ANSWER_MS),
  })
  request.once('upgrade', (_response, _socket, head) => answer.resolve(head))
  request.once('response', ({ statusCode }) =>
    answer.reject(new Error(`the file service answered ${statusCode}`)),
  )
  request.once('error', answer.reject)
  request.end()
  try {
    const head = await answer.promise
    socket.on('error', () => socket.destroy())
    if (head.length > 0) socket.unshift(head)
    collectAfter(socket)
    return socket
  } catch (error) {
    socket.destroy()
    throw error
  }
}
