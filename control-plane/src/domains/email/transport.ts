import type { SentMessageInfo } from 'nodemailer'
import type { Vault } from '../../secrets/vault.ts'
import type { Rendered } from './render.ts'
import { type MailSettings, openSecret } from './settings.ts'
import type { Conversation } from './tables.ts'
import { UNSENT } from './unsent.ts'

export interface Letter extends Rendered {
  readonly to: string
  readonly messageId: string
  readonly unsubscribeUrl?: string | null
  readonly conversation?: Conversation | null
}
/** Result of an attempt; a retry makes sense unless `permanent`. */
export type Delivery =
  | { readonly sent: true; readonly smtpCode: number | null }
  | {
      readonly sent: false
      readonly smtpCode: number | null
      /** What the mail server said; for a failed connection, not why. */
      readonly error: string
      /** For the log. */
      readonly cause: string
      readonly permanent: boolean
    }

/** Mail programs trust the fields for unsubscribing only if they are signed (RFC 8058, 4). */
const SIGNED_FIELDS = [
  ...['From', 'Sender', 'Reply-To', 'Subject', 'Date', 'Message-ID', 'To', 'Cc', 'MIME-Version'],
  ...['Content-Type', 'Content-Transfer-Encoding', 'Content-ID', 'Content-Description'],
  ...['In-Reply-To', 'References', 'List-Unsubscribe', 'List-Unsubscribe-Post'],
].join(':')

export interface Transport {
  deliver(letter: Letter): Promise<Delivery>
  close(): void
}

/** The headers by which mail programs group a conversation. */
const threading = (conversation: Conversation | null | undefined) => {
  const { replyTo = null, references = [] } = conversation ?? {}
  const last = references.at(-1)
  return {
    ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
    ...(last !== undefined && { inReplyTo: last, references: [...references] }),
  }
}

/** Opens a small pool of connections to the configured mail server. */
export async function openTransport(
  settings: MailSettings & { host: string },
  vault: Vault,
  connectMs = 10_000,
): Promise<Transport> {
  // Loaded only when there is mail to send.
  const { default: nodemailer } = await import('nodemailer')
  const { host, port, security, user, password, dkim, from } = settings
  const transporter = nodemailer.createTransport({
    host,
    port,
    pool: true,
    maxConnections: 3,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    ...(user !== null &&
      password !== null && { auth: { user, pass: openSecret(vault, password, 'password') } }),
    ...(dkim && {
      dkim: {
        domainName: dkim.domain,
        keySelector: dkim.selector,
        privateKey: openSecret(vault, dkim.privateKey, 'dkim'),
        headerFieldNames: SIGNED_FIELDS,
      },
    }),
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    socketTimeout: 30_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    async deliver(letter) {
      try {
        const info: SentMessageInfo = await transporter.sendMail({
          from,
          to: { name: '', address: letter.to },
          subject: letter.subject,
          text: letter.text,
          html: letter.html,
          messageId: letter.messageId,
          ...threading(letter.conversation),
          headers: {
            ...(!letter.conversation?.isAnswer && { 'Auto-Submitted': 'auto-generated' }),
            ...(letter.unsubscribeUrl && {
              'List-Unsubscribe': `<${letter.unsubscribeUrl}>`,
              'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
            }),
          },
        })
        return { sent: true, smtpCode: codeOf(info.response) }
      } catch (error) {
        return failureOf(error)
      }
    },
    close: () => transporter.close(),
  }
}

const codeOf = (response: unknown): number | null => {
  const code = typeof response === 'string' ? Number(response.slice(0, 3)) : Number.NaN
  return Number.isInteger(code) ? code : null
}

/** What nodemailer calls the refusal of a message, by its addresses or its content. */
const OF_THE_MESSAGE: readonly (string | undefined)[] = ['EENVELOPE', 'EMESSAGE']
/** Said to the message, though it is a missing sign-in that is meant (RFC 4954, 6). */
const SIGN_IN_FIRST = 530

/**
 * A rejected message is a final failure; a rejected sign-in or connection is not the message's
 * fault.
 */
function failureOf(error: unknown): Delivery {
  const fault = error as { code?: string; responseCode?: number; message?: string }
  const smtpCode = fault.responseCode ?? null
  const cause = (fault.message ?? 'unknown').replaceAll(/\s+/g, ' ').slice(0, 500)
  const isRejected =
    OF_THE_MESSAGE.includes(fault.code) &&
    smtpCode !== null &&
    smtpCode >= 500 &&
    smtpCode !== SIGN_IN_FIRST
  return {
    sent: false,
    smtpCode,
    // The details would let whoever sets the host scan ports of machines that only we can reach.
    error: smtpCode === null ? UNSENT.unreached : cause,
    cause,
    permanent: isRejected,
  }
}
