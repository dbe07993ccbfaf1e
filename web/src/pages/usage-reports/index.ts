import { createRoute } from '@tanstack/react-router'
import ChartColumn from 'lucide-react/icons/chart-column'
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
      icon: ChartColumn,
      group: 'system',
      needs: 'usage.manage',
      help: 'usage-reports',
    },
  ],
})
