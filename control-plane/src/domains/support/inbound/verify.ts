import { createHmac, timingSafeEqual } from 'node:crypto'

const PREFIX = 'whsec_'
/** Tolerance for the bridge's clock. */
const TOLERANCE_S = 300

interface Signed {
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  /** The raw bytes: serializing a parsed body would change them. */
  readonly body: Buffer
  /** The secret, and the former one while it is still valid. */
  readonly secrets: readonly string[]
  readonly now: Date
}

/**
 * Verifies a message of the mail bridge (Standard Webhooks 1.0).
 * @returns its id, or undefined if no secret matches or it is not recent
 */
export function verifiedId({ headers, body, secrets, now }: Signed): string | undefined {
  const [id, timestamp, given] = ['id', 'timestamp', 'signature'].map(
    (name) => headers[`webhook-${name}`],
  )
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof given !== 'string') return
  if (!/^[\x21-\x7e]{1,200}$/.test(id) || !/^\d{1,12}$/.test(timestamp)) return
  if (Math.abs(now.getTime() / 1000 - Number(timestamp)) > TOLERANCE_S) return
  const signatures = given
    .split(' ', 8)
    .filter((signature) => signature.startsWith('v1,'))
    .map((signature) => Buffer.from(signature.slice(3), 'base64'))
  // Compares every pair, so that the timing does not reveal which one matched.
  const right = secrets.flatMap((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    const wanted = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest()
    return signatures.filter((one) => one.length === wanted.length && timingSafeEqual(one, wanted))
  })
  return right.length > 0 ? id : undefined
}
