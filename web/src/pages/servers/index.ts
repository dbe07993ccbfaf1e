import type { QueryClient } from '@tanstack/react-query'
import { createRoute } from '@tanstack/react-router'
import Server from 'lucide-react/icons/server'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { chartSearch } from '../../routes/chart-search.ts'
import { alone, inside, oneServer } from '../../routes/frames.ts'
import { given, type Raw, text } from '../../routes/search.ts'
import { type Me, meQuery } from '../../session/session.ts'
import {
  applyMark,
  applySample,
  putServer,
  refreshBackups,
  refreshInvitations,
  serverRows,
} from './live.ts'
import { names } from './names.ts'
import { limitsQuery, serversQuery, serversSearch } from './servers-query.ts'

const newServerSearch = (raw: Raw) =>
  given({
    template: text(raw.template),
    owner: text(raw.owner),
    kind: raw.kind === 'vm' ? ('vm' as const) : undefined,
  })

/** Fetches the limits that the page shows to customers above the list. */
async function limitsOfCustomer(client: QueryClient): Promise<void> {
  const me = await client.ensureQueryData(meQuery).catch(() => undefined)
  if (me?.role === 'customer') await client.prefetchQuery(limitsQuery)
}

const servers = createRoute({
  getParentRoute: () => inside,
  path: paths.servers,
  validateSearch: serversSearch,
  loaderDeps: (given) => given.search,
  // Starts the fetch while the page's code is still loading; the page itself shows the loading state.
  loader: ({ context, deps }) => {
    const me = context.client.getQueryData<Me>(meQuery.queryKey)
    void context.client.prefetchQuery(serversQuery(deps, me?.preferences.lists.servers?.pageSize))
    void limitsOfCustomer(context.client)
  },
  component: page(() => import('./servers-page.tsx')),
})
const newServer = createRoute({
  getParentRoute: () => inside,
  path: paths.newServer,
  validateSearch: newServerSearch,
  component: page(() => import('./create/new-server-page.tsx')),
})
const consoleWindow = createRoute({
  getParentRoute: () => alone,
  path: paths.consoleWindow,
  component: page(() => import('./one/console/console-window.tsx')),
})
const serverOverview = createRoute({
  getParentRoute: () => oneServer,
  path: '/',
  component: page(() => import('./one/overview/overview-tab.tsx')),
})
const serverConsole = createRoute({
  getParentRoute: () => oneServer,
  path: 'console',
  component: page(() => import('./one/console/console-tab.tsx')),
})
const serverNetwork = createRoute({
  getParentRoute: () => oneServer,
  path: 'network',
  component: page(() => import('./one/network/network-tab.tsx')),
})
const serverStartup = createRoute({
  getParentRoute: () => oneServer,
  path: 'startup',
  component: page(() => import('./one/startup/startup-tab.tsx')),
})
const serverMetrics = createRoute({
  getParentRoute: () => oneServer,
  path: 'metrics',
  validateSearch: chartSearch,
  component: page(() => import('./one/metrics/metrics-tab.tsx')),
})
const serverBackups = createRoute({
  getParentRoute: () => oneServer,
  path: 'backups',
  validateSearch: (raw: Raw) =>
    given({ after: text(raw.after), backup: text(raw.backup), path: text(raw.path) }),
  component: page(() => import('./one/backups/backups-tab.tsx')),
})
const serverCrashes = createRoute({
  getParentRoute: () => oneServer,
  path: 'crashes',
  component: page(() => import('./one/crashes/crashes-tab.tsx')),
})
const serverSharing = createRoute({
  getParentRoute: () => oneServer,
  path: 'access',
  component: page(() => import('./one/sharing/sharing-tab.tsx')),
})
const serverSettings = createRoute({
  getParentRoute: () => oneServer,
  path: 'settings',
  component: page(() => import('./one/settings/settings-tab.tsx')),
})

/** Servers of either kind: their list, their creation, and the tabs of each. */
export default definePages({
  routes: {
    inside: [servers, newServer],
    alone: [consoleWindow],
    server: [
      serverOverview,
      serverConsole,
      serverBackups,
      serverNetwork,
      serverStartup,
      serverMetrics,
      serverCrashes,
      serverSharing,
      serverSettings,
    ],
  },
  navigation: () => [
    {
      to: paths.servers,
      label: names.servers,
      icon: Server,
      group: 'fleet',
      forCustomers: true,
      ownSearch: { q: 'whose:mine' },
      shortcut: 's',
      help: 'servers',
    },
  ],
  serverTabs: () => [
    { to: paths.server, label: names.overview, section: 'use' },
    {
      to: paths.serverConsole,
      label: names.console,
      section: 'use',
      kind: 'container',
      help: 'console',
    },
    {
      to: paths.serverBackups,
      label: names.backups,
      section: 'keep',
      help: 'backups',
    },
    { to: paths.serverNetwork, label: names.network, section: 'run', help: 'network' },
    { to: paths.serverStartup, label: names.startup, section: 'run', kind: 'container' },
    { to: paths.serverMetrics, label: names.metrics, section: 'run' },
    { to: paths.serverCrashes, label: names.crashes, section: 'run', help: 'crashes' },
    { to: paths.serverSharing, label: names.sharing, section: 'own', help: 'sharing' },
    { to: paths.serverSettings, label: names.settings, section: 'own' },
  ],
  actions: () => [
    { to: paths.newServer, group: 'create', label: names.newServer, needs: 'servers.create' },
  ],
  find: () => import('./find/find-servers.ts'),
  rows: { server: serverRows },
  patches: {
    server: putServer,
    'server-mark': applyMark,
    sample: applySample,
    notification: refreshInvitations,
    backups: refreshBackups,
  },
})
