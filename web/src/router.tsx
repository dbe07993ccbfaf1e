import type { QueryClient } from '@tanstack/react-query'
import {
  createRoute,
  createRouter,
  lazyRouteComponent as page,
  redirect,
} from '@tanstack/react-router'
import { serversQuery } from './pages/servers/servers-query.ts'
import { paths } from './paths.ts'
import { entranceRoutes } from './routes/entrance.ts'
import { peopleRoutes } from './routes/people.ts'
import { alone, inside, root } from './routes/root.ts'
import * as search from './routes/search.ts'
import { meQuery } from './session/session.ts'
import { Crashed, Missing } from './shell/fallbacks.tsx'
import { PageSkeleton } from './ui/notices/states.tsx'

const home = createRoute({
  getParentRoute: () => inside,
  path: '/',
  beforeLoad: async ({ context }) => {
    const me = await context.client.ensureQueryData(meQuery)
    throw redirect({ to: me.role === 'admin' ? paths.overview : paths.servers })
  },
})

const setUpNode = createRoute({
  getParentRoute: () => inside,
  path: paths.setUpNode,
  component: page(() => import('./pages/set-up/first-node-page.tsx')),
})
const setUpServer = createRoute({
  getParentRoute: () => inside,
  path: paths.setUpServer,
  component: page(() => import('./pages/set-up/first-server-page.tsx')),
})

const servers = createRoute({
  getParentRoute: () => inside,
  path: paths.servers,
  validateSearch: search.serversSearch,
  loaderDeps: (given) => given.search,
  // The list is on its way while the page is still being loaded; the page shows that it waits for it.
  loader: ({ context, deps }) => {
    void context.client.prefetchQuery(serversQuery(deps))
  },
  component: page(() => import('./pages/servers/servers-page.tsx')),
})
const newServer = createRoute({
  getParentRoute: () => inside,
  path: paths.newServer,
  validateSearch: search.newServerSearch,
  component: page(() => import('./pages/servers/new-server-page.tsx')),
})

const server = createRoute({
  getParentRoute: () => inside,
  path: paths.server,
  component: page(() => import('./pages/server/server-frame.tsx')),
})
const serverOverview = createRoute({
  getParentRoute: () => server,
  path: '/',
  component: page(() => import('./pages/server/overview-tab.tsx')),
})
const serverConsole = createRoute({
  getParentRoute: () => server,
  path: 'console',
  component: page(() => import('./pages/server/console-tab.tsx')),
})
const serverNetwork = createRoute({
  getParentRoute: () => server,
  path: 'network',
  component: page(() => import('./pages/server/network-tab.tsx')),
})
const serverStartup = createRoute({
  getParentRoute: () => server,
  path: 'startup',
  component: page(() => import('./pages/server/startup-tab.tsx')),
})
const serverMetrics = createRoute({
  getParentRoute: () => server,
  path: 'metrics',
  validateSearch: search.metricsSearch,
  component: page(() => import('./pages/server/metrics-tab.tsx')),
})
const serverCrashes = createRoute({
  getParentRoute: () => server,
  path: 'crashes',
  component: page(() => import('./pages/server/crashes-tab.tsx')),
})
const serverScreen = createRoute({
  getParentRoute: () => server,
  path: 'screen',
  component: page(() => import('./pages/server/vm/screen-tab.tsx')),
})
const serverSerial = createRoute({
  getParentRoute: () => server,
  path: 'serial',
  component: page(() => import('./pages/server/vm/serial-tab.tsx')),
})
const serverHardware = createRoute({
  getParentRoute: () => server,
  path: 'hardware',
  component: page(() => import('./pages/server/vm/hardware-tab.tsx')),
})
const serverSnapshots = createRoute({
  getParentRoute: () => server,
  path: 'snapshots',
  component: page(() => import('./pages/server/vm/snapshots-tab.tsx')),
})
const serverMove = createRoute({
  getParentRoute: () => server,
  path: 'move',
  component: page(() => import('./pages/server/vm/move-tab.tsx')),
})
const serverSharing = createRoute({
  getParentRoute: () => server,
  path: 'access',
  component: page(() => import('./pages/server/sharing-tab.tsx')),
})
const serverSettings = createRoute({
  getParentRoute: () => server,
  path: 'settings',
  component: page(() => import('./pages/server/settings-tab.tsx')),
})

/** Any other address: signed-in people keep what stands around every page. */
const missing = createRoute({ getParentRoute: () => inside, path: '$', component: Missing })

const jobs = createRoute({
  getParentRoute: () => inside,
  path: paths.jobs,
  validateSearch: search.pageSearch,
  component: page(() => import('./pages/jobs/jobs-page.tsx')),
})
const overview = createRoute({
  getParentRoute: () => inside,
  path: paths.overview,
  component: page(() => import('./pages/overview/overview-page.tsx')),
})
const nodes = createRoute({
  getParentRoute: () => inside,
  path: paths.nodes,
  component: page(() => import('./pages/nodes/nodes-page.tsx')),
})
const newNode = createRoute({
  getParentRoute: () => inside,
  path: paths.newNode,
  component: page(() => import('./pages/nodes/new-node-page.tsx')),
})
const node = createRoute({
  getParentRoute: () => inside,
  path: paths.node,
  component: page(() => import('./pages/nodes/node-page.tsx')),
})
const virtualization = createRoute({
  getParentRoute: () => inside,
  path: paths.virtualization,
  component: page(() => import('./pages/virtualization/virtualization-page.tsx')),
})
const templates = createRoute({
  getParentRoute: () => inside,
  path: paths.templates,
  component: page(() => import('./pages/templates/templates-page.tsx')),
})
const newTemplate = createRoute({
  getParentRoute: () => inside,
  path: paths.newTemplate,
  component: page(() => import('./pages/templates/new-template-page.tsx')),
})
const template = createRoute({
  getParentRoute: () => inside,
  path: paths.template,
  component: page(() => import('./pages/templates/template-page.tsx')),
})
const screenWindow = createRoute({
  getParentRoute: () => alone,
  path: paths.screenWindow,
  component: page(() => import('./pages/server/vm/screen-window.tsx')),
})
const consoleWindow = createRoute({
  getParentRoute: () => alone,
  path: paths.consoleWindow,
  component: page(() => import('./pages/server/console-window.tsx')),
})

const routeTree = root.addChildren([
  ...entranceRoutes,
  alone.addChildren([consoleWindow, screenWindow]),
  inside.addChildren([
    home,
    setUpNode,
    setUpServer,
    servers,
    newServer,
    server.addChildren([
      serverOverview,
      serverConsole,
      serverNetwork,
      serverStartup,
      serverMetrics,
      serverCrashes,
      serverScreen,
      serverSerial,
      serverHardware,
      serverSnapshots,
      serverMove,
      serverSharing,
      serverSettings,
    ]),
    jobs,
    overview,
    nodes,
    newNode,
    node,
    virtualization,
    templates,
    newTemplate,
    template,
    ...peopleRoutes,
    missing,
  ]),
])

/** The router of the panel; pages are loaded when they are first needed, or when their link is touched. */
export const createPanelRouter = (client: QueryClient) =>
  createRouter({
    routeTree,
    context: { client },
    defaultPreload: 'intent',
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 200,
    defaultPendingComponent: PageSkeleton,
    defaultErrorComponent: Crashed,
    defaultNotFoundComponent: Missing,
    scrollRestoration: true,
  })

/** Whether the page that is open is one of those for signed-in people. */
export const needsSession = (router: ReturnType<typeof createPanelRouter>): boolean =>
  router.state.matches.some(({ routeId }) => routeId === inside.id || routeId === alone.id)

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof createPanelRouter>
  }
}
