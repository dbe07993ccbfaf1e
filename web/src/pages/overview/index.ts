import { createRoute } from '@tanstack/react-router'
import Gauge from 'lucide-react/icons/gauge'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'

const overview = createRoute({
  getParentRoute: () => inside,
  path: paths.overview,
  component: page(() => import('./overview-page.tsx')),
})

/** The administrators' start page. */
export default definePages({
  routes: {
    inside: [overview],
  },
  navigation: () => [
    {
      to: paths.overview,
      label: names.overview,
      icon: Gauge,
      group: 'fleet',
      exact: true,
      shortcut: 'o',
      help: 'overview',
    },
  ],
})
