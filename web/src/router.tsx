import type { QueryClient } from '@tanstack/react-query'
import { createRoute, createRouter, redirect } from '@tanstack/react-router'
import { pages } from './pages/index.ts'
import { composePanel, routesIn } from './panel/compose-panel.ts'
import { paths } from './paths.ts'
import { Crashed, Missing } from './routes/fallbacks.tsx'
import { alone, inside, oneServer, root } from './routes/frames.ts'
import { meQuery } from './session/session.ts'
import { PageSkeleton } from './ui/notices/states.tsx'

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: async ({ context }) => {
    const me = await context.client.ensureQueryData(meQuery)
    throw redirect({ to: me.role === 'admin' ? paths.overview : paths.servers })
  },
})

/** Unknown addresses: signed-in people keep the frame. */
const missing = createRoute({ getParentRoute: () => inside, path: '$', component: Missing })

const routeTree = (list: typeof pages) =>
  root.addChildren([
    ...routesIn('outside', list),
    alone.addChildren(routesIn('alone', list)),
    inside.addChildren([
      home,
      ...routesIn('inside', list),
      oneServer.addChildren(routesIn('server', list)),
      missing,
    ]),
  ])

/** The panel's router; pages load when first opened, or when their link is hovered or focused. */
export const createPanelRouter = (client: QueryClient, list: typeof pages = pages) =>
  createRouter({
    routeTree: routeTree(list),
    context: { client, panel: composePanel(list) },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 200,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: Crashed,
    defaultNotFoundComponent: Missing,
    scrollRestoration: true,
  })

/** Whether the open page needs a session. */
export const needsSession = (router: ReturnType<typeof createPanelRouter>): boolean =>
  router.state.matches.some(({ routeId }) => routeId === inside.id || routeId === alone.id)

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>
  }
}
