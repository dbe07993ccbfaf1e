import type { Server } from '@lodge/shared/servers.ts'
import Undo2 from 'lucide-react/icons/undo-2'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'

/** Cancels the scheduled deletion of an own server. */
export function RestoreButton({ server }: { server: Server }) {
  const restore = useAct('POST /api/me/servers/{id}/restore', [
    'GET /api/servers',
    'GET /api/servers/{id}',
  ])
  return (
    <Button
      size="small"
      icon={<Undo2 />}
      busy={restore.isPending}
      onClick={() =>
        restore.mutate(
          { params: { id: server.id } },
          {
            onSuccess: () => toastDone(`${server.name} is kept`, 'It is off until you start it.'),
            onError: (error) => toastRefused(`${server.name} could not be restored`, error),
          },
        )
      }
    >
      Restore
    </Button>
  )
}
