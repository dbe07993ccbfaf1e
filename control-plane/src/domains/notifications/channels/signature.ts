import { createHmac, randomBytes } from 'node:crypto'

const PREFIX = 'whsec_'
const SECRET_BYTES = 32

/** A new secret of a webhook, in the form that receivers' libraries accept. */
export const newSecret = (): string => `${PREFIX}${randomBytes(SECRET_BYTES).toString('base64')}`

interface Signed {
  readonly id: string
  readonly at: Date
  readonly body: string
  /** While a former secret is still valid, receivers may check with either. */
  readonly secrets: readonly string[]
}

/** Identifies and signs a message (Standard Webhooks 1.0). */
export function signatureHeaders({ id, at, body, secrets }: Signed): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signature = secrets
    .map((secret) => `v1,${signatureOf(secret, `${id}.${timestamp}.${body}`)}`)
    .join(' ')
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature,
  }
}

const signatureOf = (secret: string, content: string): string =>
  createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')
