import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { useFromLink } from '../../session/link-token.ts'
import { useMaybeMe } from '../../session/session.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Ago } from '../../ui/data/time.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { Skeletons } from '../../ui/notices/states.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { titleOf } from '../servers/one/sharing/rights-words.ts'
import styles from './entrance.module.css'
import { AcceptShare, type Invitation, JoinAsNew, OtherAccount } from './join-steps.tsx'
import { LinkRefusal } from './link-refusal.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

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
      <Entrance title={t.sharedServer}>
        {invitation.error ? (
          <LinkRefusal error={invitation.error} />
        ) : (
          <Note tone="warn" title={t.noLink}>
            {t.openMailLink}
          </Note>
        )}
        <Text muted>{t.openInvitations}</Text>
        <LinkButton to={paths.servers} size="large">
          {t.openPanel}
        </LinkButton>
      </Entrance>
    )
  }
  if (!invitation.data) {
    return (
      <Entrance title={t.sharedServer}>
        <Skeletons lines={3} />
      </Entrance>
    )
  }
  return <Offered token={token} invitation={invitation.data} />
}

/** As many permissions are read in a sentence. */
const FEW = 6

function Offered({ token, invitation }: { token: string; invitation: Invitation }) {
  const me = useMaybeMe()
  const { inviter, serverName, permissions, expiresAt, email } = invitation
  const { signInFirst, hasAccount, newAccount } = invitation
  return (
    <Entrance
      title={t.useServer({ server: serverName })}
      lead={inviter === null ? t.sharedByHost({ email }) : t.sharedBy({ inviter, email })}
    >
      {permissions.length > FEW ? (
        <>
          <details>
            <summary>{t.youMayMuch({ count: permissions.length })}</summary>
            <ul className={styles.rights}>
              {permissions.map((one) => (
                <li key={one}>{titleOf(one)}</li>
              ))}
            </ul>
          </details>
          <Text small muted>
            {rich(t.expires({ when: () => <Ago at={expiresAt} /> }))}
          </Text>
        </>
      ) : (
        <Text>
          {rich(
            t.youMay({
              permissions: permissions.map(titleOf).join(', '),
              when: () => <Ago at={expiresAt} />,
            }),
          )}
        </Text>
      )}
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
        <Note tone="warn" title={t.noAccountYet({ email })}>
          {inviter === null ? t.askHostAccount : t.askAccount({ inviter })}
        </Note>
      )}
    </Entrance>
  )
}

function SignInToAccept({ email }: { email: string }) {
  return (
    <>
      <Note tone="info" title={t.signInAs({ email })}>
        {t.signInAsText}
      </Note>
      <LinkButton to={paths.servers} size="large">
        {t.signIn}
      </LinkButton>
    </>
  )
}
