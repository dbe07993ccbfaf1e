import { Link } from '@tanstack/react-router'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { forgetHash } from '../../session/link-token.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { rich } from '../../ui/page/rich.ts'
import { PasswordStep } from './password-step.tsx'
import { t } from './words.ts'

/** Sets a password from an invitation or reset link; signs in people without a second factor. */
export default function AcceptPage() {
  return (
    <PasswordStep
      title={t.choosePassword}
      lead={t.choosePasswordLead}
      label={t.password}
      missing={t.passwordMissing}
      verb={t.setPassword}
      submit={async ({ token, password }) => {
        const { email } = await api('POST /api/auth/token/accept', { body: { token, password } })
        // The link is used up, whatever becomes of the sign-in.
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
