import { useMutation } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { forgetHash, useFromLink } from '../../session/link-token.ts'
import { Done } from './done.tsx'
import { LinkStep } from './link-step.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

/** The owner of an address agrees to receive notifications, from the link mailed to it. */
export default function VerifyChannelPage() {
  const token = useFromLink('token')
  const confirm = useMutation({
    mutationFn: () => api('POST /api/notification-channels/verify', { body: { token } }),
    onSuccess: forgetHash,
  })
  if (confirm.isSuccess)
    return (
      <Entrance key="done" title={t.channelConfirmed}>
        <Done title={t.channelConfirmedText({ address: confirm.data.address })}>
          {t.channelStopText}
        </Done>
      </Entrance>
    )
  return (
    <LinkStep
      title={t.confirmChannel}
      lead={t.confirmChannelLead}
      token={token}
      withoutLink={t.openLinkAgain}
      verb={t.receiveHere}
      busy={confirm.isPending}
      onConfirm={() => confirm.mutate()}
      error={confirm.error}
    />
  )
}
