import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { PasswordStep } from './password-step.tsx'
import { t } from './words.ts'

/** Reverts a change of address that the owner did not request, from the link in the notification mail. */
export default function UndoEmailPage() {
  return (
    <PasswordStep
      title={t.takeBack}
      lead={t.takeBackLead}
      label={t.newPassword}
      missing={t.newPasswordMissing}
      verb={t.restore}
      submit={(body) => api('POST /api/auth/email/undo', { body })}
      done={({ email }) => {
        toastDone(t.restored({ email }))
        return false
      }}
      withoutLink={t.openUndoLink}
      instead={
        <LinkButton to={paths.signIn} size="large">
          {t.signIn}
        </LinkButton>
      }
    />
  )
}
