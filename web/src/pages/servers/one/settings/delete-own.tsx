import type { Server } from '@lodge/shared/servers.ts'
import { useAct } from '../../../../query.ts'
import { RestoreButton } from '../../restore-button.tsx'
import { DangerRow } from '../danger-row.tsx'
import { DeleteRow } from './delete-row.tsx'
import { t } from './words.ts'

/** Deletes an own server after a cooling-off period, during which it can be restored. */
export function DeleteOwn({ server }: { server: Server }) {
  const remove = useAct('DELETE /api/me/servers/{id}', [
    'GET /api/servers',
    'GET /api/servers/{id}',
    'GET /api/limits/me',
  ])
  if (server.deleteAt !== null)
    return (
      <DangerRow title={t.delete} text={t.deletionScheduled}>
        <RestoreButton server={server} />
      </DangerRow>
    )
  return (
    <DeleteRow
      server={server}
      text={t.deleteLaterText}
      onConfirm={() => remove.mutateAsync({ params: { id: server.id } })}
    >
      {t.deleteLaterQuestion}
    </DeleteRow>
  )
}
