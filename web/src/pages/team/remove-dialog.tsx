import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Text } from '../../ui/page/layout.tsx'
import type { Administrator } from './administrator.ts'

/** Removes somebody from the team, at once and on every device. */
export function RemoveDialog({ person, onClose }: { person: Administrator; onClose: () => void }) {
  const client = useQueryClient()
  return (
    <ConfirmDialog
      opened
      onClose={onClose}
      title={`Remove ${person.email}?`}
      verb="Remove administrator"
      typed={person.email}
      onConfirm={async () => {
        await api('DELETE /api/team/{id}', { params: { id: person.id } })
        void client.invalidateQueries({ queryKey: ['GET /api/team'] })
        toastDone('Removed from the team', person.email)
      }}
    >
      <Text>
        {person.state === 'invited'
          ? 'The invitation ends.'
          : 'Every device of theirs is signed out and their API tokens end. What they did stays in the audit record.'}
      </Text>
    </ConfirmDialog>
  )
}
