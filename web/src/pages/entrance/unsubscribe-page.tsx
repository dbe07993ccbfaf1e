import { useMutation } from '@tanstack/react-query'
import { useFromLink } from '../../session/link-token.ts'
import { Note } from '../../ui/notices/note.tsx'
import { Done } from './done.tsx'
import { LinkStep } from './link-step.tsx'
import { Entrance } from './sign-in/entrance.tsx'
import { t } from './words.ts'

/** Sends the request that mail programs send with one click: a form, not JSON. */
async function unsubscribe(token: string): Promise<void> {
  const { ok } = await fetch(
    `/api/notification-channels/unsubscribe/${encodeURIComponent(token)}`,
    {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    },
  )
  if (!ok) throw new Error('refused')
}

/** Stops the notifications to an address, from the link in one of the mails. */
export default function UnsubscribePage() {
  const token = useFromLink('token')
  const stop = useMutation({ mutationFn: () => unsubscribe(token) })
  if (stop.isSuccess)
    return (
      <Entrance key="done" title={t.unsubscribed}>
        <Done title={t.unsubscribedText} />
      </Entrance>
    )
  return (
    <LinkStep
      title={t.unsubscribe}
      lead={t.unsubscribeLead}
      token={token}
      withoutLink={t.openLinkAgain}
      verb={t.stopMails}
      busy={stop.isPending}
      onConfirm={() => stop.mutate()}
    >
      {stop.error ? (
        <Note tone="err" title={t.notUnsubscribed} role="alert">
          {t.openLinkAgain}
        </Note>
      ) : null}
    </LinkStep>
  )
}
