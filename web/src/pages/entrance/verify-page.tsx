import { useMutation } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { forgetHash, useFromLink } from '../../session/link-token.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { Done } from './done.tsx'
import { ResendForm } from './resend.tsx'
import { Entrance } from './sign-in/entrance.tsx'

/** Confirms an address from the link of a mail. Requires a click, because mail scanners open links too. */
export default function VerifyPage() {
  const token = useFromLink('token')
  const confirm = useMutation({
    mutationFn: () => api('POST /api/auth/verify', { body: { token } }),
    onSuccess: forgetHash,
  })
  if (confirm.data?.state === 'active') {
    return (
      <Entrance key="active" title="Your address is confirmed">
        <Done
          title="Your account is open"
          action={
            <LinkButton to={paths.signIn} kind="primary" size="large">
              Sign in
            </LinkButton>
          }
        >
          Sign in with the password that you chose.
        </Done>
      </Entrance>
    )
  }
  if (confirm.data) {
    return (
      <Entrance key="pending" title="Your address is confirmed">
        <Note tone="info" role="status" title="The host looks at your sign-up now">
          You get a mail as soon as your account is open. You can close this page.
        </Note>
      </Entrance>
    )
  }
  const stale = token === '' || confirm.isError
  return (
    <Entrance
      title="Confirm your address"
      {...(stale ? {} : { lead: 'One click and your sign-up is finished.' })}
    >
      {token === '' ? (
        <Note tone="warn" title="There is no link here">
          Open the link in the mail, or have a new one sent.
        </Note>
      ) : (
        <Button
          kind={stale ? 'default' : 'primary'}
          size="large"
          full
          autoFocus
          busy={confirm.isPending}
          onClick={() => confirm.mutate()}
        >
          Confirm my address
        </Button>
      )}
      {confirm.error ? <ProblemNote error={confirm.error} /> : null}
      {stale ? (
        <Column gap={10}>
          <Text muted>A link works once and for a while. A new one is sent at once:</Text>
          <ResendForm />
        </Column>
      ) : null}
    </Entrance>
  )
}
