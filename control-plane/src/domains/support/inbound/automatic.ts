/** Headers of a mail by name in lower case. */
export type MailHeaders = Readonly<Record<string, string | undefined>>

/** Kinds of automatic mail: such a mail reopens nothing and is never answered. */
export type Automatic = 'bounce' | 'auto_reply' | 'bulk'

const AUTOMATIC_HEADERS = ['x-autoreply', 'x-autorespond', 'x-auto-response-suppress'] as const

/**
 * Whether a machine sent a mail (RFC 3834): otherwise two auto-responders would write to each other
 * for ever. Bounces are recognised first, because they mark the address that they are about.
 */
export function automaticOf(headers: MailHeaders, from: string): Automatic | undefined {
  const of = (name: string) => (headers[name] ?? '').trim().toLowerCase()
  if (/^multipart\/report\b/.test(of('content-type'))) {
    // A `multipart/report` may also be a read receipt, which is no bounce.
    return of('content-type').includes('disposition-notification') ? 'auto_reply' : 'bounce'
  }
  if (/^(?:mailer-daemon|postmaster)@/i.test(from.trim()) || of('return-path') === '<>')
    return 'bounce'
  const submitted = of('auto-submitted')
  if (submitted !== '' && !/^no\b/.test(submitted)) return 'auto_reply'
  if (AUTOMATIC_HEADERS.some((name) => !['', 'no', 'none'].includes(of(name)))) return 'auto_reply'
  if (of('precedence') === 'auto_reply') return 'auto_reply'
  if (['bulk', 'junk', 'list'].includes(of('precedence')) || of('list-id') !== '') return 'bulk'
  return undefined
}
