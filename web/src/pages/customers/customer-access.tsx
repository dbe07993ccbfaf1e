import type { Customer } from '@lodge/shared/accounts.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { showLink } from '../../session/shown-link.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { QuickConfirm } from '../../ui/dialogs/quick-confirm.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { DangerRow } from '../servers/one/danger-row.tsx'
import { ViewAs } from './view-as.tsx'

const REFRESHES = ['GET /api/customers'] as const

/** The host's actions on an account: view as, set a new password, delete. */
export function CustomerAccess({ customer }: { customer: Customer }) {
  const { id, email, servers, state } = customer
  const missing = useMissing()('customers.manage')
  const navigate = useNavigate()
  const send = useAct('POST /api/customers/{id}/password-link')
  const remove = useAct('DELETE /api/customers/{id}', REFRESHES)
  const [asked, setAsked] = useState(false)
  const closed = state === 'unverified' || state === 'pending'
  return (
    <Card title="Access">
      <Column gap={14}>
        <ViewAs customer={customer} />
        <DangerRow
          title="Password"
          text="Sends a link to choose a new one. Until it is used, the present password stays."
        >
          <QuickConfirm
            question={`Send ${email} a link to a new password?`}
            verb="Send link"
            onConfirm={() =>
              send.mutate(
                { params: { id } },
                {
                  onSuccess: (answer) => {
                    if (!showLink(email, answer))
                      toastDone('The link is on its way', `It was sent to ${email}.`)
                  },
                  onError: (error) => toastRefused('No link was sent', error),
                },
              )
            }
          >
            <Button
              disabledBecause={
                missing ?? (closed ? 'Nobody signs in with this account yet' : undefined)
              }
            >
              Send a password link
            </Button>
          </QuickConfirm>
        </DangerRow>
        <DangerRow
          title="Delete"
          text="Removes the account with its sessions, plans and shares. What it did stays in the audit."
        >
          <Button
            kind="danger"
            disabledBecause={
              missing ??
              (servers > 0
                ? `Delete the servers of ${email} first: there are ${servers}`
                : undefined)
            }
            onClick={() => setAsked(true)}
          >
            Delete customer
          </Button>
          <ConfirmDialog
            opened={asked}
            onClose={() => setAsked(false)}
            title={`Delete ${email}`}
            verb="Delete customer"
            typed={email}
            onConfirm={async () => {
              await remove.mutateAsync({ params: { id } })
              toastDone(`${email} is deleted`)
              await navigate({ to: paths.customers })
            }}
          >
            The account is removed for good. This cannot be undone.
          </ConfirmDialog>
        </DangerRow>
      </Column>
    </Card>
  )
}
