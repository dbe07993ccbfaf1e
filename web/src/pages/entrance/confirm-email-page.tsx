import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { paths } from '../../paths.ts'
import { forgetHash, useFromLink } from '../../session/link-token.ts'
import { LinkButton } from '../../ui/buttons/link.tsx'
import { Done } from './done.tsx'
import { LinkStep } from './link-step.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

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
      <Entrance key="done" title={t.addressChanged}>
        <Done
          title={t.fromNowOn}
          action={
            <LinkButton to={paths.home} kind="primary" size="large">
              {t.openPanel}
            </LinkButton>
          }
        >
          {t.oldToldText}
        </Done>
      </Entrance>
    )
  }
  return (
    <LinkStep
      title={t.confirmNew}
      lead={t.confirmNewLead}
      token={token}
      withoutLink={t.openOrChange}
      verb={t.useAddress}
      busy={confirm.isPending}
      onConfirm={() => confirm.mutate()}
      error={confirm.error}
    >
      {confirm.error ? <LinkButton to={paths.account}>{t.changeAgain}</LinkButton> : null}
    </LinkStep>
  )
}
