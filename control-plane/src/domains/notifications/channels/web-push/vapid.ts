import { createPrivateKey, type JsonWebKey, sign } from 'node:crypto'

/** Less than the 24 hours that push services accept (RFC 8292, 2). */
const VALID_SECONDS = 12 * 3600

/** The key pair by which push services know this installation. */
export interface Vapid {
  /** The uncompressed point, base64url: what browsers subscribe to. */
  readonly publicKey: string
  /** With its private part. */
  readonly jwk: JsonWebKey
}

/** @param jwk a private key of P-256 */
export function vapidOf(jwk: JsonWebKey): Vapid {
  const part = (text = '') => Buffer.from(text, 'base64url')
  const point = Buffer.concat([Buffer.from([4]), part(jwk.x), part(jwk.y)])
  return { publicKey: point.toString('base64url'), jwk }
}

/**
 * Identifies this installation to a push service (RFC 8292).
 * @param panelUrl contact for the push service; only https is sent
 * @returns the `authorization` header of a request to this endpoint
 */
export function vapidHeader(
  { publicKey, jwk }: Vapid,
  endpoint: string,
  panelUrl: string,
  now: Date,
): string {
  const claims = {
    aud: new URL(endpoint).origin,
    exp: Math.floor(now.getTime() / 1000) + VALID_SECONDS,
    ...(panelUrl.startsWith('https://') && { sub: panelUrl }),
  }
  const signed = [{ typ: 'JWT', alg: 'ES256' }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.')
  const key = createPrivateKey({ key: jwk, format: 'jwk' })
  const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`
}
