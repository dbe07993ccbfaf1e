import type { Server } from '@lodge/shared/servers.ts'
import Undo2 from 'lucide-react/icons/undo-2'
import { useAct } from '../../query.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { t } from './words.ts'

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
            onSuccess: () => toastDone(t.restored({ server: server.name }), t.restoredText),
            onError: (error) => toastRefused(t.restoreRefused({ server: server.name }), error),
          },
        )
      }
    >
      {t.restore}
    </Button>
  )
}
