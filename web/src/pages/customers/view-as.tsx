import type { Customer } from '@lodge/shared/accounts.ts'
import { VIEWING_MINUTES } from '@lodge/shared/viewing.ts'
import { useState } from 'react'
import { useMissing } from '../../session/session.ts'
import { viewAs } from '../../session/viewing.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { DangerRow } from '../servers/one/danger-row.tsx'

/** Starts viewing as this customer, after a confirmation. */
export function ViewAs({ customer }: { customer: Customer }) {
  const { id, email, state } = customer
  const missing = useMissing()('customers.view_as')
  const [asked, setAsked] = useState(false)
  const closed = state === 'unverified' || state === 'pending'
  return (
    <DangerRow title="View as" text="Shows you the panel as the customer sees it. Nothing changes.">
      <Button
        disabledBecause={missing ?? (closed ? 'Nobody signs in with this account yet' : undefined)}
        onClick={() => setAsked(true)}
      >
        View as customer
      </Button>
      <ConfirmDialog
        opened={asked}
        onClose={() => setAsked(false)}
        title={`View as ${email}`}
        verb="View as customer"
        kind="primary"
        onConfirm={() => viewAs(id)}
      >
        For up to {VIEWING_MINUTES} minutes this browser shows the panel as the customer sees it, in
        every tab. Changes and consoles are off. The customer reads under Security that support
        viewed the account, not who did.
      </ConfirmDialog>
    </DangerRow>
  )
}
