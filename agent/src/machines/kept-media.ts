import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { DownloadRefused } from '@lodge/shared/egress/download.ts'
import { isKeptMedium, type MediumRef } from '@lodge/shared/machine-spec.ts'
import type { Identity } from '../enrollment/identity.ts'

type OpenMedium = (
  medium: MediumRef,
  offset: number,
  signal: AbortSignal,
) => Promise<{ readonly offset: number; readonly body: AsyncIterable<Buffer> }>

/** Gives up when no data arrives for this long. */
const STALLED_MS = 60_000

/**
 * Downloads media stored by the control plane from there, and all others from their own address.
 */
export function keptOrFrom(identity: Identity, fromAddress: OpenMedium): OpenMedium {
  return async (medium, offset, signal) => {
    if (!isKeptMedium(medium.url)) return fromAddress(medium, offset, signal)
    const response = await ask(identity, medium.sha256, offset, signal)
    const { statusCode = 0 } = response
    if (statusCode === 200) return { offset: 0, body: response }
    if (statusCode === 206) return { offset, body: response }
    response.destroy()
    throw new DownloadRefused(statusCode)
  }
}

function ask(
  identity: Identity,
  sha256: string,
  offset: number,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const colon = identity.fleetAddress.lastIndexOf(':')
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const call = request({
    host: identity.fleetAddress.slice(0, colon).replace(/^\[|\]$/g, ''),
    port: Number(identity.fleetAddress.slice(colon + 1)),
    path: `/api/agent/media/${sha256}`,
    ca: identity.caCertificate,
    servername: identity.serverName,
    minVersion: 'TLSv1.2',
    agent: false,
    signal,
    timeout: STALLED_MS,
    headers: {
      authorization: `Bearer ${identity.credential}`,
      'x-node-id': identity.nodeId,
      'accept-encoding': 'identity',
      ...(offset > 0 && { range: `bytes=${offset}-` }),
    },
  })
  call.on('timeout', () => call.destroy(new Error('nothing came for a minute')))
  call.on('error', reject)
  call.on('response', resolve)
  call.end()
  return promise
}
