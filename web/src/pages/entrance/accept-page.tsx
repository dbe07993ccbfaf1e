import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError, api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { forgetHash, useFromLink } from '../../session/link-token.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { ProblemNote } from '../../ui/notices/problem-note.tsx'
import { Skeletons } from '../../ui/notices/states.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { PasswordStep } from './password-step.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

const LOOK = 'POST /api/auth/token/look'

/** Sets a password from an invitation or reset link; signs in people without a second factor. */
export default function AcceptPage() {
  const token = useFromLink('token')
  // From then on nothing is asked of the link any more.
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
        <ProblemNote error={found.error} />
        <LinkButton to={paths.forgot} size="large">
          {t.newLink}
        </LinkButton>
        <LinkButton to={paths.signIn} kind="quiet" size="large">
          {t.signIn}
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
        // The link is used up, whatever becomes of the sign-in.
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

/** Others, such as too many requests, say nothing of the link. */
const isOver = (error: Error | null): error is ApiError =>
  error instanceof ApiError && error.problem.code === 'invalid_token'
