import { useMutation } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useMe } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'

/** Where mail is sent now, and a test of it. */
export function MailTest({ saved }: { saved: Reply<'GET /api/settings/mail'> }) {
  const me = useMe()
  const test = useMutation({ mutationFn: () => api('POST /api/settings/mail/test') })
  if (saved.host === null) {
    return (
      <Note
        tone="info"
        title="Mail is kept, not sent"
        action={
          <LinkButton to={paths.email} size="small">
            Open mails
          </LinkButton>
        }
      >
        Set a mail server below to send it. Kept mails go out too, as long as their links are valid.
      </Note>
    )
  }
  const answer = test.data
  return (
    <>
      <Note
        tone={answer === undefined ? 'info' : answer.sent ? 'ok' : 'err'}
        role="status"
        title={
          answer === undefined
            ? `Mail goes out by ${saved.host}`
            : answer.sent
              ? `The server accepted a mail to ${me.email}`
              : 'The mail was not sent'
        }
        action={
          <Button size="small" busy={test.isPending} onClick={() => test.mutate()}>
            Send test mail
          </Button>
        }
      >
        {answer === undefined
          ? `As ${saved.from.name} <${saved.from.address}>`
          : [answer.smtpCode, answer.error].filter(Boolean).join(' ') || undefined}
      </Note>
      {test.error ? <ProblemNote error={test.error} /> : null}
    </>
  )
}
