import type { Plan } from '@lodge/shared/plans.ts'
import { useState } from 'react'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Row } from '../../ui/page/layout.tsx'

const REFRESHES = ['GET /api/plans', 'GET /api/plans/{id}'] as const

/** Archives a plan, restores it, or deletes one that nobody ever had. */
export function PlanActions({ plan, onGone }: { plan: Plan; onGone: () => void }) {
  const { id, name, archivedAt } = plan
  const [deleting, setDeleting] = useState(false)
  const missing = useMissing()('plans.manage')
  const archive = useAct('POST /api/plans/{id}/archive', REFRESHES)
  const unarchive = useAct('POST /api/plans/{id}/unarchive', REFRESHES)
  const remove = useAct('DELETE /api/plans/{id}', ['GET /api/plans'])
  const turn = archivedAt === null ? archive : unarchive
  const had = Object.values(plan.subscribers).some((count) => count > 0)
  return (
    <Row>
      <Button
        busy={turn.isPending}
        disabledBecause={missing}
        onClick={() =>
          turn.mutate(
            { params: { id } },
            {
              onSuccess: () =>
                toastDone(archivedAt === null ? 'Plan archived' : 'Plan restored', name),
              onError: (error) => toastRefused('The plan was not changed', error),
            },
          )
        }
      >
        {archivedAt === null ? 'Archive plan' : 'Restore plan'}
      </Button>
      <Button
        kind="warning"
        disabledBecause={
          missing ?? (had ? 'Customers have had this plan. Archive it instead.' : undefined)
        }
        onClick={() => setDeleting(true)}
      >
        Delete plan
      </Button>
      <ConfirmDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        title={`Delete the plan ${name}?`}
        verb="Delete plan"
        onConfirm={async () => {
          await remove.mutateAsync({ params: { id } })
          toastDone('Plan deleted', name)
          onGone()
        }}
      >
        This cannot be undone. A plan that an invitation names can only be archived.
      </ConfirmDialog>
    </Row>
  )
}
