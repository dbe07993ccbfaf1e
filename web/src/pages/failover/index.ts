import { createRoute } from '@tanstack/react-router'
import HeartPulse from 'lucide-react/icons/heart-pulse'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'

const failover = createRoute({
  getParentRoute: () => inside,
  path: paths.failover,
  component: page(() => import('./failover-page.tsx')),
})
const plan = createRoute({
  getParentRoute: () => inside,
  path: paths.failoverPlan,
  component: page(() => import('./plan-page.tsx')),
})

export default definePages({
  routes: { inside: [failover, plan] },
  navigation: () => [
    {
      to: paths.failover,
      label: names.failover,
      icon: HeartPulse,
      group: 'fleet',
      needs: 'nodes.view',
      help: 'failover',
    },
  ],
})
