import type { Readable } from 'node:stream'
import { addressSet, networkOf } from '@lodge/shared/addresses.ts'
import { MAX_MAIL_BYTES } from '@lodge/shared/support/inbound.ts'
import { SMTPServer } from 'smtp-server'
import { type BodyPlace, bodyRoom } from '../../../http/body-room.ts'
import type { Services } from '../../../services.ts'
import { deliver, refusal, refusalOf, requireMailbox } from './smtp-session.ts'

const MOST_CLIENTS = 100
const PER_NETWORK = 10
const SILENT_MS = 60_000
const MOST_RECIPIENTS = 10

export interface MailServer {
  readonly port: number
  stop(): Promise<void>
}

/** Receives mail for the desk's address only, and treats it as mail from the bridge. */
export async function openMailServer(
  services: Services,
  at: {
    readonly host: string
    readonly port: number
    /** Addresses and networks of mail servers that relay mail to this one. */
    readonly relays: readonly string[]
  },
): Promise<MailServer> {
  const isRelay = addressSet(at.relays)
  const perNetwork = new Map<string, number>()
  const server = new SMTPServer({
    name: new URL(services.panelUrl).hostname,
    banner: 'Lodge',
    size: MAX_MAIL_BYTES,
    authOptional: true,
    // There is no certificate; senders fall back to plain text, as mail servers do.
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    maxClients: MOST_CLIENTS,
    socketTimeout: SILENT_MS,
    onConnect({ remoteAddress }, done) {
      const network = networkOf(remoteAddress)
      const count = (perNetwork.get(network) ?? 0) + 1
      perNetwork.set(network, count)
      done(count > PER_NETWORK ? refusal(421, 'Too many connections from your network') : null)
    },
    onClose({ remoteAddress }) {
      const network = networkOf(remoteAddress)
      const count = (perNetwork.get(network) ?? 1) - 1
      if (count > 0) perNetwork.set(network, count)
      else perNetwork.delete(network)
    },
    onRcptTo({ address }, session, done) {
      if (session.envelope.rcptTo.length >= MOST_RECIPIENTS)
        return done(refusal(452, 'Too many recipients'))
      requireMailbox(services, address, session.remoteAddress).then(
        () => done(),
        (error: unknown) => done(refusalOf(services, error)),
      )
    },
    onData(stream, session, done) {
      const { remoteAddress } = session
      const place = bodyRoom.place(isRelay(remoteAddress) ? undefined : networkOf(remoteAddress))
      collect(stream, place)
        .then((raw) => deliver(services, raw, { session, isRelay }))
        .finally(() => place.end())
        .then(
          () => done(),
          (error: unknown) => done(refusalOf(services, error)),
        )
    },
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(at.port, at.host, () => {
      server.removeListener('error', reject)
      resolve()
    })
  })
  server.on('error', (error) => services.log.debug({ err: error }, 'a mail server broke off'))
  const bound = server.server.address()
  return {
    port: bound !== null && typeof bound === 'object' ? bound.port : at.port,
    stop: () => new Promise((stopped) => server.close(() => stopped())),
  }
}

/**
 * Buffers a whole mail. An oversized one is still read to its end, because only then can its sender
 * be told the reason.
 * @throws {Refusal}
 */
async function collect(stream: Readable, place: BodyPlace): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  let isFull = false
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (isFull || bytes > MAX_MAIL_BYTES) continue
    try {
      place.take(chunk.length)
      chunks.push(chunk)
    } catch {
      isFull = true
      chunks.length = 0
      place.end()
    }
  }
  if (bytes > MAX_MAIL_BYTES) throw refusal(552, 'The mail is too large')
  if (isFull) throw refusal(451, 'Too much mail at once: try again later')
  return Buffer.concat(chunks)
}
