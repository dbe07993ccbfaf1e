import type { Plan } from '@lodge/shared/plans.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { Pill } from '../../ui/data/status.tsx'
import { Note } from '../../ui/notices/note.tsx'
import { LoadFailed, PageSkeleton } from '../../ui/notices/states.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PlanActions } from './plan-actions.tsx'
import { PlanForm } from './plan-form.tsx'
import { liveSubscribers } from './plan-words.ts'
import { t } from './words.ts'

/** One plan: its limits and its subscribers. */
export default function PlanPage() {
  const { id } = useParams({ from: '/in/admin/plans/$id' })
  const plan = useQuery(q('GET /api/plans/{id}', { params: { id } }))
  const crumbs = <Link to={paths.plans}>{t.plans}</Link>
  if (plan.isError && !plan.data) {
    return (
      <Page title={t.plan} narrow crumbs={crumbs}>
        <LoadFailed error={plan.error} onRetry={() => void plan.refetch()} />
      </Page>
    )
  }
  if (!plan.data) return <PageSkeleton />
  return <Shown key={plan.data.id} plan={plan.data} />
}

function Shown({ plan }: { plan: Plan }) {
  const navigate = useNavigate()
  const live = liveSubscribers(plan)
  return (
    <Page
      title={plan.name}
      crumbs={<Link to={paths.plans}>{t.plans}</Link>}
      beside={plan.archivedAt === null ? null : <Pill tone="idle">{t.archived}</Pill>}
      actions={<PlanActions plan={plan} onGone={() => void navigate({ to: paths.plans })} />}
    >
      {live === 0 ? null : (
        <Note tone="info" title={t.customersHave({ count: live })}>
          {plan.kind === 'account' ? t.customersHaveText : t.serverHelp}
        </Note>
      )}
      <PlanForm plan={plan} onDone={({ name }) => toastDone(t.planSaved, name)} />
    </Page>
  )
}
