import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Text } from '../../ui/page/layout.tsx'
import type { Administrator } from './administrator.ts'
import { t } from './words.ts'

/** Lets in an administrator who has lost every second factor. */
export function FactorsDialog({ person, onClose }: { person: Administrator; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.removeFactorsTitle({ email: person.email })}
      verb={t.removeFactors}
      onConfirm={async () => {
        await api('DELETE /api/team/{id}/second-factors', { params: { id: person.id } })
        void client.invalidateQueries({ queryKey: ['GET /api/team'] })
        toastDone(t.factorsRemoved, person.email)
      }}
    >
      <Text>{t.removeFactorsText}</Text>
    </ConfirmDialog>
  )
}
