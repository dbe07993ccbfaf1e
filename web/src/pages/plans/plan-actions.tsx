import type { Plan } from '@lodge/shared/plans.ts'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { paths } from '../../paths.ts'
import { useAct } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button } from '../../ui/buttons/button.tsx'
import { ConfirmDialog } from '../../ui/dialogs/confirm.tsx'
import { toastDone, toastRefused } from '../../ui/notices/toast.tsx'
import { Row } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

const REFRESHES = ['GET /api/plans', 'GET /api/plans/{id}'] as const

/** Copies a plan, archives it, restores it, or deletes one that was never sold. */
export function PlanActions({ plan, onGone }: { plan: Plan; onGone: () => void }) {
  const { id, name, archivedAt } = plan
  const [deleting, setDeleting] = useState(false)
  const missing = useMissing()('plans.manage')
  const archive = useAct('POST /api/plans/{id}/archive', REFRESHES)
  const unarchive = useAct('POST /api/plans/{id}/unarchive', REFRESHES)
  const remove = useAct('DELETE /api/plans/{id}', ['GET /api/plans'])
  const duplicate = useAct('POST /api/plans/{id}/duplicate', ['GET /api/plans'])
  const navigate = useNavigate()
  const turn = archivedAt === null ? archive : unarchive
  const had = Object.values(plan.subscribers).some((count) => count > 0)
  return (
    <Row>
      <Button
        busy={duplicate.isPending}
        disabledBecause={missing}
        onClick={() =>
          duplicate.mutate(
            { params: { id } },
            {
              onSuccess: (copy) => {
                toastDone(t.planDuplicated, copy.name)
                void navigate({ to: paths.plan, params: { id: copy.id } })
              },
              onError: (error) => toastRefused(t.notChanged, error),
            },
          )
        }
      >
        {t.duplicatePlan}
      </Button>
      <Button
        busy={turn.isPending}
        disabledBecause={missing}
        onClick={() =>
          turn.mutate(
            { params: { id } },
            {
              onSuccess: () =>
                toastDone(archivedAt === null ? t.planArchived : t.planRestored, name),
              onError: (error) => toastRefused(t.notChanged, error),
            },
          )
        }
      >
        {archivedAt === null ? t.archivePlan : t.restorePlan}
      </Button>
      <Button
        kind="warning"
        disabledBecause={missing ?? (had ? t.hadCustomers : undefined)}
        onClick={() => setDeleting(true)}
      >
        {t.deletePlan}
      </Button>
      <ConfirmDialog
        opened={deleting}
        onClose={() => setDeleting(false)}
        title={t.deleteTitle({ name })}
        verb={t.deletePlan}
        onConfirm={async () => {
          await remove.mutateAsync({ params: { id } })
          toastDone(t.planDeleted, name)
          onGone()
        }}
      >
        {t.deleteText}
      </ConfirmDialog>
    </Row>
  )
}
