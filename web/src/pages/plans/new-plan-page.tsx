import { Link, useNavigate } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PlanForm } from './plan-form.tsx'
import { t } from './words.ts'

export default function NewPlanPage() {
  const navigate = useNavigate()
  return (
    <Page title={t.newPlan} lead={t.newPlanLead} crumbs={<Link to={paths.plans}>{t.plans}</Link>}>
      <PlanForm
        onDone={(plan) => {
          toastDone(t.planCreated, plan.name)
          // Prices are added next: they belong to an existing plan.
          void navigate({ to: paths.plan, params: { id: plan.id } })
        }}
      />
    </Page>
  )
}
