import tls from 'node:tls'
import type { RelayOpen } from '@lodge/proto/fleet.ts'
import type { Identity } from '../enrollment/identity.ts'

const TIMEOUT_MS = 10_000
const MAX_ANSWER = 8_192

/**
 * Opens the agent's end of a relay. The returned socket yields everything the other end sends, from
 * its first byte.
 * @throws Error when the control plane cannot be reached or refuses the ticket
 */
export function dial(identity: Identity, relay: RelayOpen): Promise<tls.TLSSocket> {
  const address = relay.address === '' ? identity.fleetAddress : relay.address
  const colon = address.lastIndexOf(':')
  return new Promise((resolve, reject) => {
    const socket = tls.connect({
      host: address.slice(0, colon).replace(/^\[|\]$/g, ''),
      port: Number(address.slice(colon + 1)),
      ca: identity.caCertificate,
      servername: identity.serverName,
      ALPNProtocols: ['http/1.1'],
      minVersion: 'TLSv1.2',
    })
    let answer = Buffer.alloc(0)
    const timer = setTimeout(
      () => fail(new Error('The control plane did not answer in time')),
      TIMEOUT_MS,
    )
    const fail = (error: Error) => {
      clearTimeout(timer)
      socket.destroy()
      reject(error)
    }
    const failClosed = () => fail(new Error('The control plane hung up'))
    const read = (part: Buffer) => {
      answer = Buffer.concat([answer, part])
      const end = answer.indexOf('\r\n\r\n')
      if (end < 0) {
        if (answer.byteLength > MAX_ANSWER)
          fail(new Error('The control plane gave a strange answer'))
        return
      }
      const status = answer.subarray(0, answer.indexOf('\r\n')).toString('latin1')
      if (!/^HTTP\/1\.1 101\b/.test(status))
        return fail(new Error(`The relay was refused: ${status}`))
      clearTimeout(timer)
      // Paused until the caller takes over, so that no bytes are lost in between.
      socket.pause()
      socket.off('data', read).off('error', fail).off('close', failClosed)
      const rest = answer.subarray(end + 4)
      // The other end may have sent data right after its response.
      if (rest.byteLength > 0) socket.unshift(rest)
      socket.on('error', () => socket.destroy())
      resolve(socket)
    }
    socket.on('data', read).on('error', fail).on('close', failClosed)
    socket.once('secureConnect', () => {
      socket.setNoDelay(true)
      socket.write(
        [
          `GET /agent/relay/${relay.sessionId} HTTP/1.1`,
          'Host: lodge',
          'Connection: Upgrade',
          'Upgrade: lodge-relay',
          `Authorization: Bearer ${identity.credential}`,
          `X-Node-ID: ${identity.nodeId}`,
          `X-Relay-Ticket: ${relay.ticket}`,
          '\r\n',
        ].join('\r\n'),
      )
    })
  })
}
