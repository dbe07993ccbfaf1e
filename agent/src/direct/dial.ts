import tls, { type TLSSocket } from 'node:tls'
import type { DirectHost } from '@lodge/shared/direct-transfers.ts'
import { fingerprintOf, type NodeCertificate } from './certificate.ts'
import { DIRECT_PROTOCOL, greetingOf, WELCOME } from './greeting.ts'

/** How long the other node may take to answer before the connection goes through the control plane. */
const PATIENCE_MS = 4_000

/** The other node was reached but does not expect this one, or not yet. */
export class HungUp extends Error {}

/**
 * Opens a connection to a node that expects this one. The returned socket is paused, and yields
 * everything that the other end sends.
 * @throws {HungUp} when it refuses the ticket
 * @throws Error when it cannot be reached, or is another node
 */
export function dialDirectly(
  certificate: NodeCertificate,
  { address, ticket, fingerprint }: DirectHost,
  patienceMs = PATIENCE_MS,
): Promise<TLSSocket> {
  const colon = address.lastIndexOf(':')
  const { cert, key } = certificate
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      ...{ cert, key },
      host: address.slice(0, colon).replace(/^\[|\]$/g, ''),
      port: Number(address.slice(colon + 1)),
      minVersion: 'TLSv1.3',
      ALPNProtocols: [DIRECT_PROTOCOL],
      servername: 'lodge-node',
      // Deliberately: the node is known by its fingerprint, checked below before anything is said.
      rejectUnauthorized: false,
    })
    const timer = setTimeout(() => fail(new Error('it did not answer in time')), patienceMs)
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const failClosed = () => fail(new HungUp('it hung up'))
    let answer = Buffer.alloc(0)
    const written = Promise.withResolvers<void>()
    const read = (part: Buffer) => {
      answer = Buffer.concat([answer, part])
      if (answer.length < WELCOME.length) return
      if (!answer.subarray(0, WELCOME.length).equals(Buffer.from(WELCOME)))
        return fail(new Error('it gave a strange answer'))
      clearTimeout(timer)
      // Paused until the caller takes over, so that no bytes are lost in between.
      socket.pause()
      socket.off('data', read).off('error', fail).off('close', failClosed)
      const rest = answer.subarray(WELCOME.length)
      if (rest.byteLength > 0) socket.unshift(rest)
      socket.on('error', () => socket.destroy())
      // As at the other end, whoever takes over must not see the end of this write.
      void written.promise.then(() => resolve(socket))
    }
    socket.on('data', read).on('error', fail).on('close', failClosed)
    socket.once('secureConnect', () => {
      const shown = socket.getPeerX509Certificate()?.raw
      if (!shown || fingerprintOf(shown) !== fingerprint)
        return fail(new Error('another machine answered there'))
      socket.setNoDelay(true)
      socket.setKeepAlive(true, 30_000)
      socket.write(greetingOf(ticket), () => written.resolve())
    })
  })
}
