import { createRoute } from '@tanstack/react-router'
import Gauge from 'lucide-react/icons/gauge'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'

const usageReports = createRoute({
  getParentRoute: () => inside,
  path: paths.usageReports,
  component: page(() => import('./usage-page.tsx')),
})

export default definePages({
  routes: { inside: [usageReports] },
  navigation: () => [
    {
      to: paths.usageReports,
      label: names.usageReports,
      icon: Gauge,
      group: 'system',
      needs: 'usage.manage',
      help: 'usage-reports',
    },
  ],
})
