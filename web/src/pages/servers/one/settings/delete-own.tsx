import type { Server } from '@lodge/shared/servers.ts'
import { useAct } from '../../../../query.ts'
import { RestoreButton } from '../../restore-button.tsx'
import { DangerRow } from '../danger-row.tsx'
import { DeleteRow } from './delete-row.tsx'

/** Deletes an own server after a cooling-off period, during which it can be restored. */
export function DeleteOwn({ server }: { server: Server }) {
  const remove = useAct('DELETE /api/me/servers/{id}', [
    'GET /api/servers',
    'GET /api/servers/{id}',
    'GET /api/limits/me',
  ])
  if (server.deleteAt !== null)
    return (
      <DangerRow
        title="Delete"
        text="The deletion is scheduled. Until then you can restore the server with its files."
      >
        <RestoreButton server={server} />
      </DangerRow>
    )
  return (
    <DeleteRow
      server={server}
      text="Stops the server now. It is deleted with its files later; until then you can restore it."
      onConfirm={() => remove.mutateAsync({ params: { id: server.id } })}
    >
      This stops the server now and deletes it with its files later. Until then you can restore it
      here and in the list of servers.
    </DeleteRow>
  )
}
