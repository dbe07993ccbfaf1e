import { useState } from 'react'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { useTyped } from '../../ui/dialogs/typed.ts'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import type { Waiting } from './waiting.ts'
import { t } from './words.ts'

/** Asks before pending accounts are rejected, and for a reason for their owners. */
export function RejectDialog({
  accounts,
  onClose,
  onReject,
}: {
  accounts: readonly Waiting[]
  onClose: () => void
  onReject: (reason: string | undefined) => Promise<void>
}) {
  const [reason, setReason] = useState('')
  const count = accounts.length
  const email = accounts[0]?.email ?? ''
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.rejectTitle({ count, email })}
      verb={t.reject({ count })}
      onConfirm={() => onReject(reason.trim() || undefined)}
    >
      <Column gap={12}>
        <Text>{t.rejectText({ count })}</Text>
        <ReasonField reason={reason} onChange={setReason} />
      </Column>
    </ConfirmDialog>
  )
}

function ReasonField({ reason, onChange }: { reason: string; onChange: (reason: string) => void }) {
  useTyped(reason.trim() !== '')
  return (
    <AreaField
      label={t.reason}
      description={t.reasonHelp}
      rows={3}
      value={reason}
      onChange={onChange}
    />
  )
}
