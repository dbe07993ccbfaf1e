import type { Customer } from '@lodge/shared/accounts.ts'
import { useNavigate } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { useMay } from '../../session/session.ts'
import { Note } from '../../ui/notices/note.tsx'
import { SignUpActions } from '../sign-ups/sign-up-actions.tsx'
import { t } from './words.ts'

/** What a pending account waits for, and the actions for it. */
export function SignUpStrip({ customer }: { customer: Customer }) {
  const may = useMay()
  const navigate = useNavigate()
  const { state } = customer
  if (state !== 'unverified' && state !== 'pending') return null
  return (
    <Note
      tone="info"
      title={state === 'pending' ? t.waitsForYou : t.waitsForThem}
      action={
        may('customers.approve') ? (
          <SignUpActions
            account={{ id: customer.id, email: customer.email, state }}
            onGone={() => void navigate({ to: paths.pending })}
          />
        ) : undefined
      }
    >
      {state === 'pending' ? t.waitsForYouText : t.waitsForThemText}
    </Note>
  )
}
