import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import type { Waiting } from './waiting.ts'

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
  const what = accounts.length === 1 ? (accounts[0]?.email ?? '') : `${accounts.length} accounts`
  const reject = async (): Promise<void> => {
    const query = reason.trim() === '' ? {} : { reason: reason.trim() }
    try {
      for (const { id } of accounts)
        await api('POST /api/customers/{id}/reject', { params: { id }, query })
      toastDone('Rejected', what)
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
      title={`Reject ${what}?`}
      verb={accounts.length === 1 ? 'Reject account' : 'Reject accounts'}
      onConfirm={reject}
    >
      <Column gap={12}>
        <Text>
          {accounts.length === 1
            ? 'The account and its data are'
            : 'The accounts and their data are'}{' '}
          removed, and a mail says so. This cannot be undone.
        </Text>
        <AreaField
          label="Reason (optional, stands in the mail)"
          rows={3}
          value={reason}
          onChange={setReason}
        />
      </Column>
    </ConfirmDialog>
  )
}
