import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import type { Waiting } from './waiting.ts'
import { t } from './words.ts'

/** Rejects pending accounts, with a reason for their owners. */
export function RejectDialog({
  accounts,
  onClose,
  onDone,
}: {
  accounts: readonly Waiting[]
  onClose: () => void
  onDone: () => void
}) {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const count = accounts.length
  const email = accounts[0]?.email ?? ''
  const reject = async (): Promise<void> => {
    const query = reason.trim() === '' ? {} : { reason: reason.trim() }
    try {
      for (const { id } of accounts)
        await api('POST /api/customers/{id}/reject', { params: { id }, query })
      toastDone(t.rejected({ count }), count === 1 ? email : undefined)
      onDone()
    } finally {
      for (const key of ['GET /api/signup/pending', 'GET /api/customers'])
        void client.invalidateQueries({ queryKey: [key] })
    }
  }
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.rejectTitle({ count, email })}
      verb={t.reject({ count })}
      onConfirm={reject}
    >
      <Column gap={12}>
        <Text>{t.rejectText({ count })}</Text>
        <AreaField
          label={t.reason}
          description={t.reasonHelp}
          rows={3}
          value={reason}
          onChange={setReason}
        />
      </Column>
    </ConfirmDialog>
  )
}
