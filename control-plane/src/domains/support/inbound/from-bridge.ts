import { BridgedMail } from '@lodge/shared/support/inbound.ts'
import type { CheckResult, SenderCheck } from '@lodge/shared/support/sender-check.ts'
import { invalid } from '../../../http/input.ts'
import { Problem } from '../../../problem.ts'
import { automaticOf } from './automatic.ts'
import { textOfHtml } from './html-text.ts'
import { addressIn, answersOf, cleanText, idsIn, type Mail, nameOf } from './mail.ts'
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
    fromName: nameOf(from.includes('<') ? from.slice(0, from.lastIndexOf('<')) : ''),
    recipients: [...to, ...cc, headers['delivered-to'] ?? ''].flatMap(
      (one) => addressIn(one) ?? [],
    ),
    subject,
    text: cleanText(text.trim() === '' && html !== undefined ? textOfHtml(html) : text),
    answers: answersOf(mail.inReplyTo ?? '', mail.references.join(' ')),
    headers,
    sender: checkOf(auth, sender),
    automatic: automaticOf(headers, sender),
    files: attachments.map(({ name, base64 }) => ({ name, bytes: Buffer.from(base64, 'base64') })),
  }
}

/**
 * The bridge's check of the sender, which nobody can repeat: the mail was delivered to the bridge.
 */
function checkOf(auth: BridgedMail['auth'], sender: string): SenderCheck {
  const written = sender.slice(sender.lastIndexOf('@') + 1)
  // Non-ASCII characters can imitate another domain.
  const domain = /^[\x21-\x7e]+$/.test(written) ? written : null
  const dmarc = resultOf(auth.dmarc)
  return {
    ...{ by: 'bridge', domain, verified: dmarc === 'pass' && domain !== null },
    dkim: { result: resultOf(auth.dkim), domain: null },
    spf: { result: resultOf(auth.spf), domain: null },
    dmarc: { result: dmarc, policy: null },
  }
}

function resultOf(word = ''): CheckResult {
  const result = word.trim().toLowerCase()
  if (result === 'softfail' || result === 'hardfail') return 'fail'
  return result === 'pass' || result === 'fail' || result === 'temperror' ? result : 'none'
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
