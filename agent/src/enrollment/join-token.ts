import { z } from 'zod'

const PREFIX = 'lodge1.'

const Content = z.object({
  u: z.url({ protocol: /^https$/ }),
  t: z.string().min(16).max(512),
  f: z.string().regex(/^[0-9a-f]{64}$/),
})

/** The content of a join token. */
export interface JoinToken {
  /** Address of the fleet listener, `https://host:port`. */
  readonly url: URL
  readonly oneTimeToken: string
  /** SHA-256 of the DER form of the control plane's certificate authority, in hex. */
  readonly fingerprint: string
}

/**
 * Parses `lodge1.<base64url JSON>`.
 * @throws Error with a message for the person who pasted it
 */
export function readJoinToken(text: string): JoinToken {
  const broken = new Error(
    'This is not a token to join with: copy the whole line from the panel again',
  )
  const trimmed = text.trim()
  if (!trimmed.startsWith(PREFIX)) throw broken
  let json: unknown
  try {
    json = JSON.parse(Buffer.from(trimmed.slice(PREFIX.length), 'base64url').toString('utf8'))
  } catch {
    throw broken
  }
  const content = Content.safeParse(json)
  if (!content.success) throw broken
  return { url: new URL(content.data.u), oneTimeToken: content.data.t, fingerprint: content.data.f }
}
