import { createRoute } from '@tanstack/react-router'
import Cpu from 'lucide-react/icons/cpu'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'

const virtualization = createRoute({
  getParentRoute: () => inside,
  path: paths.virtualization,
  component: page(() => import('./virtualization-page.tsx')),
})

export default definePages({
  routes: {
    inside: [virtualization],
  },
  navigation: () => [
    {
      to: paths.virtualization,
      label: names.virtualization,
      icon: Cpu,
      group: 'catalogue',
      needs: 'virtualization.manage',
      help: 'virtual-machines',
    },
  ],
  actions: () => [
    {
      to: paths.virtualization,
      group: 'create',
      label: names.addMedium,
      keywords: names.addMediumKeywords,
      needs: 'virtualization.manage',
    },
  ],
})
