import { createRoute, redirect } from '@tanstack/react-router'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { inside, root } from '../../routes/frames.ts'

const setUp = createRoute({
  getParentRoute: () => root,
  path: paths.setUp,
  beforeLoad: async ({ context }) => {
    const status = await context.client.fetchQuery(q('GET /api/auth/status'))
    if (status.bootstrapped) throw redirect({ to: paths.home })
  },
  component: page(() => import('./set-up-page.tsx')),
})
const setUpNode = createRoute({
  getParentRoute: () => inside,
  path: paths.setUpNode,
  component: page(() => import('./first-node-page.tsx')),
})
const setUpServer = createRoute({
  getParentRoute: () => inside,
  path: paths.setUpServer,
  component: page(() => import('./first-server-page.tsx')),
})

/** The set-up of an installation: its administrator, first node and first server. */
export default definePages({
  routes: {
    outside: [setUp],
    inside: [setUpNode, setUpServer],
  },
})
