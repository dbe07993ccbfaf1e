import type { Customer } from '@lodge/shared/accounts.ts'
import { VIEWING_MINUTES } from '@lodge/shared/viewing.ts'
import { useNavigate } from '@tanstack/react-router'
import Eye from 'lucide-react/icons/eye'
import KeyRound from 'lucide-react/icons/key-round'
import LogOut from 'lucide-react/icons/log-out'
import Pencil from 'lucide-react/icons/pencil'
import Trash2 from 'lucide-react/icons/trash-2'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { showLink } from '../../session/shown-link.ts'
import { viewAs } from '../../session/viewing.ts'
import { ActionMenu } from '../../ui/buttons/menu.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { CustomerForm } from './customer-form.tsx'
import { whyClosed, whyNotDeleted } from './why-not.ts'

type Action = 'view' | 'edit' | 'password' | 'sign-out' | 'delete'

/** Everything that staff do with an account, in one menu. */
export function CustomerActions({ customer }: { customer: Customer }) {
  const { email } = customer
  const missing = useMissing()
  const [open, setOpen] = useState<Action>()
  const closed = whyClosed(customer)
  const manage = missing('customers.manage')
  const close = () => setOpen(undefined)
  return (
    <>
      <ActionMenu
        label={`Actions for ${email}`}
        entries={[
          {
            label: 'View as customer…',
            icon: <Eye />,
            disabledBecause: missing('customers.view_as') ?? closed,
            onSelect: () => setOpen('view'),
          },
          {
            label: 'Edit customer…',
            icon: <Pencil />,
            disabledBecause: manage,
            onSelect: () => setOpen('edit'),
          },
          {
            label: 'Send password link…',
            icon: <KeyRound />,
            disabledBecause: manage ?? closed,
            onSelect: () => setOpen('password'),
          },
          {
            label: 'Sign out everywhere…',
            icon: <LogOut />,
            disabledBecause: manage ?? closed,
            onSelect: () => setOpen('sign-out'),
          },
          {
            label: 'Delete customer…',
            icon: <Trash2 />,
            danger: true,
            separated: true,
            disabledBecause: manage ?? whyNotDeleted(customer),
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      <Dialog title={`Edit ${email}`} opened={open === 'edit'} onClose={close}>
        <CustomerForm
          key={email}
          customer={customer}
          onDone={() => {
            close()
            toastDone('Customer saved')
          }}
        />
      </Dialog>
      <Confirmations customer={customer} open={open} onClose={close} />
    </>
  )
}

interface ConfirmationsProps {
  customer: Customer
  open: Action | undefined
  onClose: () => void
}

function Confirmations({ customer: { id, email }, open, onClose }: ConfirmationsProps) {
  const navigate = useNavigate()
  const send = useAct('POST /api/customers/{id}/password-link')
  const signOut = useAct('POST /api/customers/{id}/sign-out', ['GET /api/customers/{id}/sign-ins'])
  const remove = useAct('DELETE /api/customers/{id}', ['GET /api/customers'])
  const params = { id }
  return (
    <>
      <ConfirmDialog
        opened={open === 'view'}
        onClose={onClose}
        title={`View as ${email}`}
        verb="View as customer"
        kind="primary"
        onConfirm={() => viewAs(id)}
      >
        For up to {VIEWING_MINUTES} minutes this browser shows the panel as the customer sees it, in
        every tab. Changes and consoles are off. The customer can read under Security that support
        viewed the account, but not who.
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === 'password'}
        onClose={onClose}
        title={`Send ${email} a password link`}
        verb="Send link"
        kind="primary"
        onConfirm={async () => {
          const answer = await send.mutateAsync({ params })
          if (!showLink(email, answer)) toastDone('Link sent', `It was sent to ${email}.`)
        }}
      >
        The link lets them choose a new password. The current one works until then.
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === 'sign-out'}
        onClose={onClose}
        title={`Sign ${email} out everywhere`}
        verb="Sign out everywhere"
        kind="warning"
        onConfirm={async () => {
          const { ended } = await signOut.mutateAsync({ params })
          toastDone(ended === 1 ? '1 session ended' : `${ended} sessions ended`)
        }}
      >
        Every browser is signed out at once. Password, API tokens and servers stay as they are.
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={onClose}
        title={`Delete ${email}`}
        verb="Delete customer"
        typed={email}
        onConfirm={async () => {
          await remove.mutateAsync({ params })
          toastDone(`${email} is deleted`)
          await navigate({ to: paths.customers })
        }}
      >
        This deletes the account with its sessions, plans, shares and notes. What the customer did
        stays in the audit record.
      </ConfirmDialog>
    </>
  )
}
