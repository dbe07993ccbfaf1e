import type { Customer } from '@lodge/shared/accounts.ts'
import { VIEWING_MINUTES } from '@lodge/shared/viewing.ts'
import { useNavigate } from '@tanstack/react-router'
import CirclePause from 'lucide-react/icons/circle-pause'
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
import { SuspendDialog } from '../suspensions/suspend-dialog.tsx'
import { CustomerForm } from './customer-form.tsx'
import { whyClosed, whyNotDeleted, whyNotSuspended } from './why-not.ts'
import { t } from './words.ts'

type Action = 'view' | 'edit' | 'password' | 'sign-out' | 'suspend' | 'delete'

/** All actions of staff on an account, in one menu. */
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
        label={t.actionsFor({ email })}
        entries={[
          {
            label: t.viewEntry,
            icon: <Eye />,
            disabledBecause: missing('customers.view_as') ?? closed,
            onSelect: () => setOpen('view'),
          },
          {
            label: t.editEntry,
            icon: <Pencil />,
            disabledBecause: manage,
            onSelect: () => setOpen('edit'),
          },
          {
            label: t.passwordEntry,
            icon: <KeyRound />,
            disabledBecause: manage ?? closed,
            onSelect: () => setOpen('password'),
          },
          {
            label: t.signOutEntry,
            icon: <LogOut />,
            disabledBecause: manage ?? closed,
            onSelect: () => setOpen('sign-out'),
          },
          {
            label: t.suspendEntry,
            icon: <CirclePause />,
            danger: true,
            separated: true,
            disabledBecause: missing('suspension.manage') ?? whyNotSuspended(customer),
            onSelect: () => setOpen('suspend'),
          },
          {
            label: t.deleteEntry,
            icon: <Trash2 />,
            danger: true,
            disabledBecause: manage ?? whyNotDeleted(customer),
            onSelect: () => setOpen('delete'),
          },
        ]}
      />
      <Dialog title={t.editTitle({ email })} opened={open === 'edit'} onClose={close}>
        <CustomerForm
          key={email}
          customer={customer}
          onDone={() => {
            close()
            toastDone(t.saved)
          }}
        />
      </Dialog>
      <SuspendDialog customer={customer} opened={open === 'suspend'} onClose={close} />
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
        title={t.viewTitle({ email })}
        verb={t.view}
        kind="primary"
        onConfirm={() => viewAs(id)}
      >
        {t.viewText({ minutes: VIEWING_MINUTES })}
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === 'password'}
        onClose={onClose}
        title={t.passwordTitle({ email })}
        verb={t.sendLink}
        kind="primary"
        onConfirm={async () => {
          const answer = await send.mutateAsync({ params })
          if (!showLink(email, answer)) toastDone(t.linkSent, t.linkSentTo({ email }))
        }}
      >
        {t.passwordText}
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === 'sign-out'}
        onClose={onClose}
        title={t.signOutTitle({ email })}
        verb={t.signOutEverywhere}
        kind="warning"
        onConfirm={async () => {
          const { ended } = await signOut.mutateAsync({ params })
          toastDone(t.sessionsEnded({ count: ended }))
        }}
      >
        {t.signOutText}
      </ConfirmDialog>
      <ConfirmDialog
        opened={open === 'delete'}
        onClose={onClose}
        title={t.deleteTitle({ email })}
        verb={t.deleteCustomer}
        typed={email}
        onConfirm={async () => {
          await remove.mutateAsync({ params })
          toastDone(t.deleted({ email }))
          await navigate({ to: paths.customers })
        }}
      >
        {t.deleteText}
      </ConfirmDialog>
    </>
  )
}
