import { createHash } from 'node:crypto'
import { once } from 'node:events'
import net, { type AddressInfo } from 'node:net'
import tls, { type TLSSocket } from 'node:tls'
import type { DirectGuest } from '@lodge/proto/fleet.ts'
import { errorCode } from '@lodge/shared/error-code.ts'
import type { Logger } from 'pino'
import { fingerprintOf, type NodeCertificate } from './certificate.ts'
import { DIRECT_PROTOCOL, MAX_GREETING_BYTES, WELCOME } from './greeting.ts'

const PROOF_MS = 5_000
const MAX_UNPROVEN = 32
const MAX_UNPROVEN_OF_ADDRESS = 8
/** Connections that have shown a ticket. */
const MAX_GUESTS = 256
const MAX_WITHIN_MS = 120_000

/** The port at which other nodes connect. It admits only those that the control plane has announced. */
export interface DirectPort {
  readonly port: number
  /** Takes no more connections; those that transfer something go on. */
  close(): void
}

interface Expected {
  readonly fingerprint: string
  readonly accept: (socket: TLSSocket) => void
  readonly timer: NodeJS.Timeout
}

/** The nodes that are expected now, each once. */
export class DirectGuests {
  readonly #expected = new Map<string, Expected>()

  get isEmpty(): boolean {
    return this.#expected.size === 0
  }

  /** @param accept takes over the connection, paused, before its first byte */
  expect({ ticket, fingerprint, withinMs }: DirectGuest, accept: Expected['accept']): void {
    const key = keyOf(ticket)
    const timer = setTimeout(
      () => this.#expected.delete(key),
      Math.min(withinMs || MAX_WITHIN_MS, MAX_WITHIN_MS),
    )
    timer.unref()
    this.#expected.set(key, { fingerprint, accept, timer })
  }

  knows(fingerprint: string): boolean {
    return this.#expected.values().some((one) => one.fingerprint === fingerprint)
  }

  /** The ticket is void afterwards, unless it is another node's. */
  redeem(ticket: string, fingerprint: string): Expected['accept'] | undefined {
    const key = keyOf(ticket)
    const found = this.#expected.get(key)
    if (found?.fingerprint !== fingerprint) return undefined
    clearTimeout(found.timer)
    this.#expected.delete(key)
    return found.accept
  }
}

// Tickets are looked up by hash, so that the duration of a look-up reveals nothing about them.
const keyOf = (ticket: string) => createHash('sha256').update(ticket).digest('hex')

/**
 * Opens the port. A connection gets nowhere without a certificate that is expected now and the ticket
 * that was given to its node, and is hung up on without a word otherwise.
 * @throws when the port cannot be opened
 */
export async function openDirectPort(given: {
  readonly port: number
  readonly certificate: NodeCertificate
  readonly guests: DirectGuests
  readonly log: Logger
  /** Until a connection has shown certificate and ticket. */
  readonly proofMs?: number
}): Promise<DirectPort> {
  const { certificate, guests, log, proofMs = PROOF_MS } = given
  /** Each with what ends its time for the proof, by the address that it comes from. */
  const unproven = new Map<string, { readonly bare: net.Socket; readonly over: () => void }>()
  const proven = new Set<TLSSocket>()
  const secure = tls.createServer({
    cert: certificate.cert,
    key: certificate.key,
    minVersion: 'TLSv1.3',
    ALPNProtocols: [DIRECT_PROTOCOL],
    requestCert: true,
    // Deliberately: nodes are known by their fingerprints, checked below, not by an authority.
    rejectUnauthorized: false,
  })
  secure.on('tlsClientError', (_error, socket) => socket.destroy())
  secure.on('secureConnection', (socket) => {
    socket.on('error', () => socket.destroy())
    const { over } = unproven.get(originOf(socket)) ?? {}
    const shown = socket.getPeerX509Certificate()?.raw
    const fingerprint = shown && fingerprintOf(shown)
    const isSpoken = socket.alpnProtocol === DIRECT_PROTOCOL
    if (!over || !fingerprint || !isSpoken || !guests.knows(fingerprint))
      return void socket.destroy()
    greeted(socket, (ticket) => {
      const accept = guests.redeem(ticket, fingerprint)
      if (!accept) return void socket.destroy()
      over()
      proven.add(socket)
      socket.once('close', () => proven.delete(socket))
      // Not before it is written: node:http2 dies of the end of a write that it did not begin.
      socket.write(WELCOME, () => {
        if (!socket.destroyed) hand(socket, accept)
      })
    })
  })

  function hand(socket: TLSSocket, accept: Expected['accept']): void {
    try {
      accept(socket)
    } catch (error) {
      log.warn({ err: error }, 'could not serve another node')
      socket.destroy()
    }
  }

  const server = net.createServer({ noDelay: true, keepAlive: true, keepAliveInitialDelay: 30_000 })
  server.on('connection', (bare) => {
    bare.on('error', () => bare.destroy())
    const { remoteAddress } = bare
    const alike = unproven.values().filter((one) => one.bare.remoteAddress === remoteAddress)
    const isFull = unproven.size >= MAX_UNPROVEN || [...alike].length >= MAX_UNPROVEN_OF_ADDRESS
    // Who is not expected does not even cost a handshake.
    if (guests.isEmpty || isFull || proven.size >= MAX_GUESTS) return void bare.destroy()
    const origin = originOf(bare)
    const timer = setTimeout(() => bare.destroy(), proofMs)
    const over = () => {
      clearTimeout(timer)
      unproven.delete(origin)
    }
    unproven.set(origin, { bare, over })
    bare.once('close', over)
    secure.emit('connection', bare)
  })
  await listen(server, given.port)
  return {
    port: (server.address() as AddressInfo).port,
    close() {
      server.close()
      for (const { bare } of unproven.values()) bare.destroy()
    },
  }
}

/** Identifies a connection among all open ones of the port. */
const originOf = ({ remoteAddress, remotePort }: net.Socket) => `${remoteAddress} ${remotePort}`

/** Reads the ticket and passes it on; hangs up if more arrives, or anything else. */
function greeted(socket: TLSSocket, redeem: (ticket: string) => void): void {
  let said = Buffer.alloc(0)
  const read = (part: Buffer) => {
    said = Buffer.concat([said, part])
    const end = said.indexOf('\n')
    if (end < 0 && said.length <= MAX_GREETING_BYTES) return
    socket.pause()
    socket.off('data', read)
    if (end !== said.length - 1) socket.destroy()
    else redeem(said.toString('latin1', 0, end))
  }
  socket.on('data', read)
}

async function listen(server: net.Server, port: number): Promise<void> {
  try {
    server.listen(port, '::')
    await once(server, 'listening')
  } catch (error) {
    if (errorCode(error) !== 'EAFNOSUPPORT' && errorCode(error) !== 'EADDRNOTAVAIL') throw error
    server.listen(port, '0.0.0.0')
    await once(server, 'listening')
  }
}
