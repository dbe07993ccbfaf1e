import PostalMime from 'postal-mime'
import type { SmtpSink } from './smtp-sink.ts'
import { until } from './until.ts'

export interface ReadMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/** The newest mail that a mail server received for an address, parsed as a mail program does. */
export function receivedMail(sink: SmtpSink, to: string, subject: RegExp): Promise<ReadMail> {
  return until(async () => {
    for (const mail of sink.mails.toReversed()) {
      if (mail.to !== to) continue
      const read = await PostalMime.parse(mail.raw)
      if (subject.test(read.subject ?? ''))
        return { subject: read.subject ?? '', text: read.text ?? '', html: read.html ?? '' }
    }
    return undefined
  })
}
