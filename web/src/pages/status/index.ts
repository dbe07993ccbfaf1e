import { createRoute } from '@tanstack/react-router'
import Activity from 'lucide-react/icons/activity'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'

const frame = createRoute({
  getParentRoute: () => inside,
  path: paths.statusIncidents,
  component: page(() => import('./status-frame.tsx')),
})
const incidents = createRoute({
  getParentRoute: () => frame,
  path: '/',
  component: page(() => import('./incidents-tab.tsx')),
})
const components = createRoute({
  getParentRoute: () => frame,
  path: 'components',
  component: page(() => import('./components-tab.tsx')),
})
const settings = createRoute({
  getParentRoute: () => frame,
  path: 'settings',
  component: page(() => import('./settings-tab.tsx')),
})
const incident = createRoute({
  getParentRoute: () => inside,
  path: paths.statusIncident,
  component: page(() => import('./incident-page.tsx')),
})

/** What runs the public status page. */
export default definePages({
  routes: {
    inside: [frame.addChildren([incidents, components, settings]), incident],
  },
  navigation: () => [
    {
      to: paths.statusIncidents,
      label: names.status,
      icon: Activity,
      group: 'people',
      needs: 'status.view',
      help: 'status-page',
    },
  ],
  actions: () => [
    {
      to: paths.statusIncidents,
      group: 'goTo',
      label: names.status,
      keywords: names.keywords,
      needs: 'status.view',
      help: 'status-page',
    },
  ],
})
