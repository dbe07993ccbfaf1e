import { createRoute } from '@tanstack/react-router'
import Tags from 'lucide-react/icons/tags'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'
import { plansSearch } from './plans-search.ts'

const plans = createRoute({
  getParentRoute: () => inside,
  path: paths.plans,
  validateSearch: plansSearch,
  component: page(() => import('./plans-page.tsx')),
})
const newPlan = createRoute({
  getParentRoute: () => inside,
  path: paths.newPlan,
  component: page(() => import('./new-plan-page.tsx')),
})
const plan = createRoute({
  getParentRoute: () => inside,
  path: paths.plan,
  component: page(() => import('./plan-page.tsx')),
})

export default definePages({
  routes: {
    inside: [plans, newPlan, plan],
  },
  navigation: () => [
    {
      to: paths.plans,
      label: names.plans,
      icon: Tags,
      group: 'catalogue',
      needs: 'plans.view',
      help: 'limits',
    },
  ],
  actions: () => [
    { to: paths.newPlan, group: 'create', label: names.newPlan, needs: 'plans.manage' },
  ],
})
