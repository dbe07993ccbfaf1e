import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { forgetHash, useFromLink } from '../../session/link-token.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Skeletons } from '../../ui/notices/states.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { isOver, LinkRefusal } from './link-refusal.tsx'
import { PasswordStep } from './password-step.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

const LOOK = 'POST /api/auth/token/look'

/** Sets a password from an invitation or reset link; signs in people without a second factor. */
export default function AcceptPage() {
  const token = useFromLink('token')
  // The link is not queried any more once it was used.
  const [isUsed, setUsed] = useState(false)
  const found = useQuery({
    queryKey: [LOOK, token],
    queryFn: () => api(LOOK, { body: { token } }),
    enabled: token !== '' && !isUsed,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  })
  if (!isUsed && isOver(found.error))
    return (
      <Entrance title={t.choosePassword}>
        <LinkRefusal error={found.error}>{t.linkOverSignIn}</LinkRefusal>
        <LinkButton to={paths.signIn} kind="primary" size="large">
          {t.signIn}
        </LinkButton>
        <LinkButton to={paths.forgot} size="large">
          {t.newLink}
        </LinkButton>
      </Entrance>
    )
  if (!isUsed && found.isLoading)
    return (
      <Entrance title={t.choosePassword}>
        <Skeletons lines={3} />
      </Entrance>
    )
  const email = found.data?.email
  return (
    <PasswordStep
      title={t.choosePassword}
      lead={email === undefined ? t.choosePasswordLead : t.choosePasswordFor({ email })}
      label={t.password}
      missing={t.passwordMissing}
      verb={t.setPassword}
      submit={async ({ token, password }) => {
        const { email } = await api('POST /api/auth/token/accept', { body: { token, password } })
        // The link is used up, whether or not the sign-in succeeds.
        setUsed(true)
        forgetHash()
        return api('POST /api/auth/login', { body: { email, password, stepwise: true } }).catch(
          () => undefined,
        )
      }}
      done={(signedIn) => {
        toastDone(t.passwordSet)
        return signedIn?.requires2fa === false
      }}
      withoutLink={t.openOrNew}
      instead={
        <LinkButton to={paths.forgot} size="large">
          {t.newLink}
        </LinkButton>
      }
      refused={
        <Text muted>
          {rich(t.linkOnce({ link: (text) => <Link to={paths.forgot}>{text}</Link> }))}
        </Text>
      }
    />
  )
}
