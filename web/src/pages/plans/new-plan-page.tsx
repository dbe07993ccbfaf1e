import { Link, useNavigate } from '@tanstack/react-router'
import { paths } from '../../paths.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Page } from '../../ui/page/page.tsx'
import { PlanForm } from './plan-form.tsx'

export default function NewPlanPage() {
  const navigate = useNavigate()
  return (
    <Page
      title="New plan"
      lead="Limits that customers get together, for example with an invitation."
      crumbs={<Link to={paths.plans}>Plans</Link>}
    >
      <PlanForm
        onDone={(plan) => {
          toastDone('Plan created', plan.name)
          void navigate({ to: paths.plans })
        }}
      />
    </Page>
  )
}
