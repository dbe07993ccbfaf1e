import type { Customer } from '@lodge/shared/accounts.ts'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { Tick } from '../../ui/choices/tick.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Column } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

interface LiftDialogProps {
  customer: Customer
  opened: boolean
  onClose: () => void
}

export function LiftDialog({ customer: { id, email }, opened, onClose }: LiftDialogProps) {
  const [restore, setRestore] = useState(true)
  const [reason, setReason] = useState('')
  const lift = useAct('DELETE /api/customers/{id}/suspension', [
    'GET /api/customers/{id}/suspension',
    'GET /api/customers/{id}',
    'GET /api/customers',
  ])
  return (
    <ConfirmDialog
      opened={opened}
      onClose={onClose}
      title={t.liftTitle({ email })}
      verb={t.lift}
      kind="primary"
      onConfirm={async () => {
        await lift.mutateAsync({
          params: { id },
          query: {
            restoreRunning: restore ? 'true' : 'false',
            ...(reason.trim() !== '' && { reason: reason.trim() }),
          },
        })
        toastDone(t.lifted({ email }))
      }}
    >
      <Column gap={14}>
        <p>{t.liftText}</p>
        <Tick checked={restore} label={t.restoreRunning} onChange={setRestore} />
        <TextField label={t.liftReason} value={reason} onChange={setReason} />
      </Column>
    </ConfirmDialog>
  )
}
