import { request } from 'node:https'
import type { Identity } from '../enrollment/identity.ts'

const MOST_BYTES = 64 * 1024

export interface JsonAnswer {
  readonly status: number
  /** Undefined when the body is not JSON. */
  readonly body: unknown
}

/**
 * Sends a GET to the control plane over HTTPS, using the port and certificate authority from
 * enrollment. Throws an Error when no answer arrives in time.
 */
export function getJson(identity: Identity, path: string, timeoutMs: number): Promise<JsonAnswer> {
  const colon = identity.fleetAddress.lastIndexOf(':')
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: identity.fleetAddress.slice(0, colon).replace(/^\[|\]$/g, ''),
        port: Number(identity.fleetAddress.slice(colon + 1)),
        path,
        ca: identity.caCertificate,
        servername: identity.serverName,
        minVersion: 'TLSv1.2',
        agent: false,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          authorization: `Bearer ${identity.credential}`,
          'x-node-id': identity.nodeId,
          accept: 'application/json',
        },
      },
      (response) => {
        const parts: Buffer[] = []
        let bytes = 0
        response.on('data', (part: Buffer) => {
          bytes += part.byteLength
          if (bytes > MOST_BYTES) call.destroy(new Error('the answer is too long'))
          else parts.push(part)
        })
        response.on('error', reject)
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            body: parse(Buffer.concat(parts).toString('utf8')),
          })
        })
      },
    )
    call.on('error', reject)
    call.end()
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
