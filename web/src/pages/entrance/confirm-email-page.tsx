import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { forgetHash, useFromLink } from '../../session/link-token.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Done } from './done.tsx'
import { Entrance } from './sign-in/entrance.tsx'

/** Confirms a new email address from the link mailed to it. */
export default function ConfirmEmailPage() {
  const token = useFromLink('token')
  const client = useQueryClient()
  const confirm = useMutation({
    mutationFn: () => api('POST /api/auth/email/confirm', { body: { token } }),
    onSuccess: () => {
      forgetHash()
      client.clear()
    },
  })
  if (confirm.isSuccess) {
    return (
      <Entrance key="done" title="Your address was changed">
        <Done
          title="From now on you sign in with this address"
          action={
            <LinkButton to={paths.home} kind="primary" size="large">
              Open the panel
            </LinkButton>
          }
        >
          The old address got a mail about it.
        </Done>
      </Entrance>
    )
  }
  return (
    <Entrance
      title="Confirm your new address"
      {...(token === '' ? {} : { lead: 'Until you confirm, your old address stays.' })}
    >
      {token === '' ? (
        <Note tone="warn" title="There is no link here">
          Open the link in the mail. If it has expired, ask for the change again in your account.
        </Note>
      ) : (
        <Button
          kind="primary"
          size="large"
          full
          autoFocus
          busy={confirm.isPending}
          onClick={() => confirm.mutate()}
        >
          Use this address
        </Button>
      )}
      {confirm.error ? (
        <>
          <ProblemNote error={confirm.error} />
          <LinkButton to={paths.account}>Ask for the change again</LinkButton>
        </>
      ) : null}
    </Entrance>
  )
}
