import { Agent, request } from 'node:https'
import type { Identity } from '../enrollment/identity.ts'

const MOST_BYTES = 64 * 1024

export interface JsonAnswer {
  readonly status: number
  /** Undefined when the body is not JSON. */
  readonly body: unknown
}

/** Keeps a few connections to the control plane for the next questions. */
export const keepingAgent = (): Agent => new Agent({ keepAlive: true, maxSockets: 8 })

interface Question {
  readonly method: 'GET' | 'POST' | 'PUT'
  readonly path: string
  /** Sent as JSON. */
  readonly body?: unknown
  readonly timeoutMs: number
  /** Keeps connections for the next question; none are kept without. */
  readonly agent?: Agent
  readonly mostBytes?: number
}

/** Sends a GET to the control plane; see `askJson`. */
export const getJson = (identity: Identity, path: string, timeoutMs: number): Promise<JsonAnswer> =>
  askJson(identity, { method: 'GET', path, timeoutMs })

/**
 * Asks the control plane over HTTPS, using the port and certificate authority from enrollment.
 * Throws an Error when no answer arrives in time.
 */
export function askJson(identity: Identity, question: Question): Promise<JsonAnswer> {
  const { method, path, body, timeoutMs, agent, mostBytes = MOST_BYTES } = question
  const text = body === undefined ? undefined : JSON.stringify(body)
  const colon = identity.fleetAddress.lastIndexOf(':')
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: identity.fleetAddress.slice(0, colon).replace(/^\[|\]$/g, ''),
        port: Number(identity.fleetAddress.slice(colon + 1)),
        ...{ method, path },
        ca: identity.caCertificate,
        servername: identity.serverName,
        minVersion: 'TLSv1.2',
        agent: agent ?? false,
        signal: AbortSignal.timeout(timeoutMs),
        headers: {
          authorization: `Bearer ${identity.credential}`,
          'x-node-id': identity.nodeId,
          accept: 'application/json',
          ...(text !== undefined && { 'content-type': 'application/json' }),
        },
      },
      (response) => {
        const parts: Buffer[] = []
        let bytes = 0
        response.on('data', (part: Buffer) => {
          bytes += part.byteLength
          if (bytes > mostBytes) call.destroy(new Error('the answer is too long'))
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
    call.end(text)
  })
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
