import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { request } from 'node:https'
import { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Identity } from '../enrollment/identity.ts'

/** Nothing received for this long ends a download. */
const STALLED_MS = 60_000

/**
 * Downloads a file that the control plane hands out to nodes, over the connection that the
 * authority of this node vouches for.
 * @param given.sha256 what the file must be
 * @throws Error when it cannot be fetched, or is another one
 */
export async function download(given: {
  readonly identity: Identity
  /** Below /agent/. */
  readonly name: string
  readonly sha256: string
  readonly target: string
  readonly mode: number
  readonly signal: AbortSignal
}): Promise<void> {
  const { identity, name, sha256, target, mode, signal } = given
  const colon = identity.fleetAddress.lastIndexOf(':')
  const digest = createHash('sha256')
  const counted = new Transform({
    transform(chunk, _encoding, done) {
      digest.update(chunk)
      done(null, chunk)
    },
  })
  const body = await new Promise<import('node:http').IncomingMessage>((resolve, reject) => {
    const call = request(
      {
        host: identity.fleetAddress.slice(0, colon).replace(/^\[|\]$/g, ''),
        port: Number(identity.fleetAddress.slice(colon + 1)),
        path: `/agent/${name}`,
        ca: identity.caCertificate,
        servername: identity.serverName,
        minVersion: 'TLSv1.2',
        agent: false,
        timeout: STALLED_MS,
        signal,
      },
      (response) => {
        if (response.statusCode === 200) return resolve(response)
        response.resume()
        reject(new Error(`the control plane answered ${response.statusCode} for ${name}`))
      },
    )
    call.on('timeout', () => call.destroy(new Error(`the download of ${name} stalled`)))
    call.on('error', reject)
    call.end()
  })
  await pipeline(body, counted, createWriteStream(target, { mode, flush: true }), { signal })
  if (digest.digest('hex') !== sha256)
    throw new Error(`${name} is not the file that was announced: it changed meanwhile`)
}
