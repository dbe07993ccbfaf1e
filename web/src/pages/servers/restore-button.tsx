import type { Server } from '@lodge/shared/servers.ts'
import Undo2 from 'lucide-react/icons/undo-2'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { t } from './words.ts'

const REFRESHES = ['GET /api/servers', 'GET /api/servers/{id}'] as const

/**
 * Cancels the scheduled deletion of an own server, or as staff that of any. Staff confirm it for the
 * server of an ended subscription, which costs nothing from then on.
 */
export function RestoreButton({ server }: { server: Server }) {
  const may = useMay()
  const isStaff = may('servers.delete')
  const own = useAct('POST /api/me/servers/{id}/restore', REFRESHES)
  const staff = useAct('POST /api/servers/{id}/cancel-deletion', REFRESHES)
  const restore = isStaff ? staff : own
  const [asking, setAsking] = useState(false)
  // Its owner would keep it without paying.
  const isOfPlan = server.holds.some(
    ({ kind, cause }) => kind === 'deletion' && cause === 'billing',
  )
  const named = { server: server.name }
  const given = { params: { id: server.id } }
  const done = () => toastDone(t.restored(named), t.restoredText)
  const lacks = isStaff ? (may('billing.manage') ? undefined : t.keepNeedsBilling) : t.planEnded
  return (
    <>
      <Button
        size="small"
        icon={<Undo2 />}
        busy={restore.isPending}
        disabledBecause={isOfPlan ? lacks : undefined}
        onClick={() =>
          isOfPlan
            ? setAsking(true)
            : restore.mutate(given, {
                onSuccess: done,
                onError: (error) => toastRefused(t.restoreRefused(named), error),
              })
        }
      >
        {t.restore}
      </Button>
      <ConfirmDialog
        opened={asking}
        kind="primary"
        onClose={() => setAsking(false)}
        title={t.keepTitle(named)}
        verb={t.keep}
        onConfirm={() => staff.mutateAsync(given).then(done)}
      >
        {t.keepText}
      </ConfirmDialog>
    </>
  )
}
