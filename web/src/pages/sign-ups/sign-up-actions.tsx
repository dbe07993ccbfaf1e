import { useState } from 'react'
import { useAct } from '../../query.ts'
import { showLink } from '../../session/shown-link.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import type { Waiting } from './waiting.ts'

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
          aria-label={`Approve ${email}`}
          busy={approve.isPending}
          onClick={() => approve.mutate(params, toasts('Account approved', 'It was not approved'))}
        >
          Approve
        </Button>
      ) : (
        <Button
          size="small"
          aria-label={`Send again to ${email}`}
          busy={resend.isPending}
          onClick={() =>
            resend.mutate(params, {
              ...toasts('Confirmation sent', 'It was not sent'),
              onSuccess: (answer) => {
                if (!showLink(email, answer)) toastDone('Confirmation sent', email)
              },
            })
          }
        >
          Send again
        </Button>
      )}
      <ActionMenu
        label={`More for ${email}`}
        size="small"
        entries={[
          ...(state === 'unverified'
            ? [
                {
                  label: 'Treat the address as confirmed',
                  onSelect: () =>
                    mark.mutate(params, toasts('Address confirmed', 'It was not confirmed')),
                },
              ]
            : []),
          { label: 'Reject and remove', danger: true, onSelect: () => setRejecting(true) },
        ]}
      />
      {rejecting ? (
        <RejectDialog
          accounts={[account]}
          onClose={() => setRejecting(false)}
          onDone={() => onGone?.()}
        />
      ) : null}
    </Row>
  )
}
