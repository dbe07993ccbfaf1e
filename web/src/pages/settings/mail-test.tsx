import { useMutation } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useMe } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { t } from './words.ts'

/** Where mail is sent now, and a test of it. */
export function MailTest({ saved }: { saved: Reply<'GET /api/settings/mail'> }) {
  const me = useMe()
  const test = useMutation({ mutationFn: () => api('POST /api/settings/mail/test') })
  if (saved.host === null) {
    return (
      <Note
        tone="info"
        title={t.mailNotSent}
        action={
          <LinkButton to={paths.email} size="small">
            {t.openMails}
          </LinkButton>
        }
      >
        {t.mailNotSentText}
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
            ? t.mailGoesBy({ host: saved.host })
            : answer.sent
              ? t.testAccepted({ address: me.email })
              : t.testNotSent
        }
        action={
          <Button size="small" busy={test.isPending} onClick={() => test.mutate()}>
            {t.sendTest}
          </Button>
        }
      >
        {answer === undefined
          ? t.sentAs({ sender: `${saved.from.name} <${saved.from.address}>` })
          : [answer.smtpCode, answer.error].filter(Boolean).join(' ') || undefined}
      </Note>
      {test.error ? <ProblemNote error={test.error} /> : null}
    </>
  )
}
