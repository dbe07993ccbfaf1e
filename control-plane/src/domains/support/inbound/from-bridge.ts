import { BridgedMail } from '@lodge/shared/support/inbound.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import { automaticOf } from './automatic.ts'
import { textOfHtml } from './html-text.ts'
import { addressIn, answersOf, cleanText, idsIn, type Mail } from './mail.ts'
import { idOf } from './mail-id.ts'

/** @throws {Problem} validation_failed */
export function mailOfBridge(body: Buffer): Mail {
  const given = BridgedMail.safeParse(jsonOf(body))
  if (!given.success) throw unreadable(given.error.issues[0]?.path.join('.') ?? '')
  const { from, to, cc, subject, text, html, auth, attachments, ...mail } = given.data
  const sender = addressIn(from)
  if (sender === undefined) throw unreadable('from')
  const headers = Object.fromEntries(
    Object.entries(mail.headers).map(([name, value]) => [name.toLowerCase(), value]),
  )
  return {
    messageId: idsIn(mail.messageId ?? '')[0] ?? idOf(body),
    from: sender,
    recipients: [...to, ...cc, headers['delivered-to'] ?? ''].flatMap(
      (one) => addressIn(one) ?? [],
    ),
    subject,
    text: cleanText(text.trim() === '' && html !== undefined ? textOfHtml(html) : text),
    answers: answersOf(mail.inReplyTo ?? '', mail.references.join(' ')),
    headers,
    dmarc: dmarcOf(auth.dmarc),
    automatic: automaticOf(headers, sender),
    files: attachments.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') })),
  }
}

function dmarcOf(verdict = ''): Mail['dmarc'] {
  const word = verdict.trim().toLowerCase()
  return word === 'pass' || word === 'fail' ? word : 'none'
}

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    throw new Problem('malformed_json', 'Send the mail as JSON')
  }
}

const unreadable = (field: string) =>
  invalid([{ pointer: `/${field.replaceAll('.', '/')}`, detail: 'is not as a mail has it' }])
