import { createRoute } from '@tanstack/react-router'
import Blocks from 'lucide-react/icons/blocks'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'

const plugins = createRoute({
  getParentRoute: () => inside,
  path: paths.plugins,
  component: page(() => import('./plugins-page.tsx')),
})
const plugin = createRoute({
  getParentRoute: () => inside,
  path: paths.plugin,
  component: page(() => import('./plugin-page.tsx')),
})

export default definePages({
  routes: { inside: [plugins, plugin] },
  navigation: () => [
    {
      to: paths.plugins,
      label: names.plugins,
      icon: Blocks,
      group: 'system',
      needs: 'plugins.view',
      help: 'plugins',
    },
  ],
})
