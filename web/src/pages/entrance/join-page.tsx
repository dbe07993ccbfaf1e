import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useFromLink } from '../../session/link-token.ts'
import { useMaybeMe } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Skeletons } from '../../ui/notices/states.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { titleOf } from '../servers/one/sharing/rights-words.ts'
import { AcceptShare, type Invitation, JoinAsNew, OtherAccount } from './join-steps.tsx'
import { Entrance } from './sign-in/entrance.tsx'

/** Accepts a shared server from the link of a mail, for new people and for customers. */
export default function JoinPage() {
  const token = useFromLink('token')
  const invitation = useQuery({
    queryKey: ['POST /api/invitations/look', token],
    queryFn: () => api('POST /api/invitations/look', { body: { token } }),
    enabled: token !== '',
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (token === '' || invitation.isError) {
    return (
      <Entrance title="Shared server">
        {invitation.error ? (
          <ProblemNote error={invitation.error} />
        ) : (
          <Note tone="warn" title="There is no link here">
            Open the link in the mail.
          </Note>
        )}
        <Text muted>
          Somebody who has an account finds open invitations above the list of servers, too.
        </Text>
        <LinkButton to={paths.servers} size="large">
          Open the panel
        </LinkButton>
      </Entrance>
    )
  }
  if (!invitation.data) {
    return (
      <Entrance title="Shared server">
        <Skeletons lines={3} />
      </Entrance>
    )
  }
  return <Offered token={token} invitation={invitation.data} />
}

function Offered({ token, invitation }: { token: string; invitation: Invitation }) {
  const me = useMaybeMe()
  const { inviter, serverName, permissions, expiresAt, email } = invitation
  const { signInFirst, hasAccount, newAccount } = invitation
  return (
    <Entrance
      title={`Use ${serverName}`}
      lead={`${inviter ?? 'The host'} shares it with ${email}.`}
    >
      <Text>
        You may: {permissions.map(titleOf).join(', ')}. The invitation ends <Ago at={expiresAt} />.
      </Text>
      {me === undefined ? (
        <Skeletons lines={2} />
      ) : me !== null && me.email !== email ? (
        <OtherAccount signedInAs={me.email} invited={email} />
      ) : signInFirst && me === null ? (
        <SignInToAccept email={email} />
      ) : hasAccount ? (
        <AcceptShare token={token} signedIn={me !== null} />
      ) : newAccount ? (
        <JoinAsNew token={token} />
      ) : (
        <Note tone="warn" title={`There is no account for ${email} yet`}>
          Ask {inviter ?? 'the host'} for an account, then open this link again.
        </Note>
      )}
    </Entrance>
  )
}

function SignInToAccept({ email }: { email: string }) {
  return (
    <>
      <Note tone="info" title={`Sign in as ${email} to accept`}>
        You find the invitation above the list of servers. Without an account, ask the host for one.
      </Note>
      <LinkButton to={paths.servers} size="large">
        Sign in
      </LinkButton>
    </>
  )
}
