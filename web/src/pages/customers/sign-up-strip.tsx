import type { Customer } from '@lodge/shared/accounts.ts'
import { useNavigate } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/session.ts'
import { Note } from '../../ui/notices/note.tsx'
import { SignUpActions } from '../sign-ups/sign-up-actions.tsx'

/** On the page of somebody who is not let in yet: what they wait for, and what can be done. */
export function SignUpStrip({ customer }: { customer: Customer }) {
  const may = useMay()
  const navigate = useNavigate()
  const { state } = customer
  if (state !== 'unverified' && state !== 'pending') return null
  return (
    <Note
      tone="info"
      title={state === 'pending' ? 'Waits for your approval' : 'Has not confirmed the address yet'}
      action={
        may('customers.approve') ? (
          <SignUpActions
            account={{ id: customer.id, email: customer.email, state }}
            onGone={() => void navigate({ to: paths.pending })}
          />
        ) : undefined
      }
    >
      Until then nobody signs in with this account.
    </Note>
  )
}
