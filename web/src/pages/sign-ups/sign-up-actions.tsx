import { useState } from 'react'
import { useAct } from '../../query.ts'
import { showLink } from '../../session/shown-link.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import type { Waiting } from './waiting.ts'
import { t } from './words.ts'

const REFRESHES = [
  'GET /api/signup/pending',
  'GET /api/customers',
  'GET /api/customers/{id}',
] as const

/** Actions on a pending account; the likeliest one as a button. */
export function SignUpActions({ account, onGone }: { account: Waiting; onGone?: () => void }) {
  const { id, email, state } = account
  const [rejecting, setRejecting] = useState(false)
  const approve = useAct('POST /api/customers/{id}/approve', REFRESHES)
  const mark = useAct('POST /api/customers/{id}/mark-verified', REFRESHES)
  const resend = useAct('POST /api/customers/{id}/resend-verification', REFRESHES)
  const reject = useAct('POST /api/customers/{id}/reject', REFRESHES)
  const toasts = (done: string, failed: string) => ({
    onSuccess: () => toastDone(done, email),
    onError: (error: Error) => toastRefused(failed, error),
  })
  const params = { params: { id } }
  return (
    <Row nowrap gap={6}>
      {state === 'pending' ? (
        <Button
          size="small"
          kind="primary"
          aria-label={t.approveOne({ email })}
          busy={approve.isPending}
          onClick={() => approve.mutate(params, toasts(t.approved, t.notApproved))}
        >
          {t.approve}
        </Button>
      ) : (
        <Button
          size="small"
          aria-label={t.sendAgainTo({ email })}
          busy={resend.isPending}
          onClick={() =>
            resend.mutate(params, {
              ...toasts(t.sent, t.notSent),
              onSuccess: (answer) => {
                if (!showLink(email, answer)) toastDone(t.sent, email)
              },
            })
          }
        >
          {t.sendAgain}
        </Button>
      )}
      <ActionMenu
        label={t.moreFor({ email })}
        size="small"
        entries={[
          ...(state === 'unverified'
            ? [
                {
                  label: t.markConfirmed,
                  onSelect: () => mark.mutate(params, toasts(t.confirmed, t.notConfirmed)),
                },
              ]
            : []),
          { label: t.rejectAndRemove, danger: true, onSelect: () => setRejecting(true) },
        ]}
      />
      {rejecting ? (
        <RejectDialog
          accounts={[account]}
          onClose={() => setRejecting(false)}
          onReject={async (reason) => {
            await reject.mutateAsync({ ...params, query: { reason } })
            toastDone(t.rejected({ count: 1 }), email)
            onGone?.()
          }}
        />
      ) : null}
    </Row>
  )
}
