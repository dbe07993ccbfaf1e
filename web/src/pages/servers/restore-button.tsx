import type { Server } from '@lodge/shared/servers.ts'
import Undo2 from 'lucide-react/icons/undo-2'
import { useAct } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { t } from './words.ts'

const REFRESHES = ['GET /api/servers', 'GET /api/servers/{id}'] as const

/** Cancels the scheduled deletion of an own server, or as staff that of any. */
export function RestoreButton({ server }: { server: Server }) {
  const isStaff = useMay()('servers.delete')
  const own = useAct('POST /api/me/servers/{id}/restore', REFRESHES)
  const staff = useAct('POST /api/servers/{id}/cancel-deletion', REFRESHES)
  const restore = isStaff ? staff : own
  // Its owner would keep it without paying.
  const isOfPlan = server.holds.some(
    ({ kind, cause }) => kind === 'deletion' && cause === 'billing',
  )
  return (
    <Button
      size="small"
      icon={<Undo2 />}
      busy={restore.isPending}
      disabledBecause={isOfPlan && !isStaff ? t.planEnded : undefined}
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
