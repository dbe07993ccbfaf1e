import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Text } from '../../ui/page/layout.tsx'
import type { Administrator } from './administrator.ts'
import { t } from './words.ts'

/** Removes somebody from the team, immediately and on every device. */
export function RemoveDialog({ person, onClose }: { person: Administrator; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={t.removeTitle({ email: person.email })}
      verb={t.remove}
      typed={person.email}
      onConfirm={async () => {
        await api('DELETE /api/team/{id}', { params: { id: person.id } })
        void client.invalidateQueries({ queryKey: ['GET /api/team'] })
        toastDone(t.removed, person.email)
      }}
    >
      <Text>{person.state === 'invited' ? t.invitationEnds : t.removeText}</Text>
    </ConfirmDialog>
  )
}
