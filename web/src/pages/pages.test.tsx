import { readdirSync } from 'node:fs'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterContextProvider } from '@tanstack/react-router'
import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { beforeEach, describe, expect, test } from 'vitest'
import { composePanel } from '../panel/compose-panel.ts'
import { paths } from '../paths.ts'
import { createPanelRouter } from '../router.tsx'
import { meQuery } from '../session/session.ts'
import { Navigation } from '../shell/navigation.tsx'
import { pages } from './index.ts'
import toy from './testing/toy/index.ts'

describe('a folder in the list of pages', () => {
  const list = [...pages, toy] as unknown as typeof pages
  const panel = composePanel(list)
  let client: QueryClient
  let router: ReturnType<typeof createPanelRouter>
  beforeEach(() => {
    client = new QueryClient()
    router = createPanelRouter(client, list)
    router.update({ ...router.options, history: createMemoryHistory() })
  })

  /** What the page at an address renders, loaded through the router. */
  async function pageAt(address: string): Promise<string> {
    const route = router.getMatchedRoutes(address)[0].at(-1)
    if (!route) throw new Error(`nothing is at ${address}`)
    await router.loadRouteChunk(route)
    return renderToString(createElement(route.options.component!))
  }

  const navigationOf = (me: object): string => {
    client.setQueryData(meQuery.queryKey, { preferences: {}, permissions: [], ...me } as never)
    return renderToString(
      <QueryClientProvider client={client}>
        <RouterContextProvider router={router}>
          <Navigation />
        </RouterContextProvider>
      </QueryClientProvider>,
    )
  }

  test('gets its routes, outside and as a tab of a server', async () => {
    expect(await pageAt('/admin/toys')).toContain('All toys')
    expect(await pageAt('/servers/1/toys')).toContain('All toys')
    expect(panel.serverTabs.map(({ label }) => label)).toContain('Toys')
  })

  test('gets its entry in the navigation, shown only to those who may see it', () => {
    expect(navigationOf({ role: 'admin', superAdmin: true })).toContain('href="/admin/toys"')
    expect(navigationOf({ role: 'customer' })).not.toContain('href="/admin/toys"')
  })

  test('gets its command in the palette, which also searches its items', async () => {
    expect(panel.actions.at(-1)).toMatchObject({ label: 'New toy', to: '/admin/toys' })
    const found = await panel.finders.at(-1)?.()
    expect(await found?.default(client, 'ball', '/')).toMatchObject([{ label: 'ball' }])
  })

  test('receives its events and updates the cache', () => {
    expect(panel.live.events).toContain('toy')
    panel.live.patch(client, { type: 'toy', data: { id: '7' } })
    expect(client.getQueryData(['toys', '7'])).toEqual({ id: '7' })
  })
})

describe('the folders of the panel', () => {
  /** Components for the pages of other folders. */
  const WITHOUT_PAGES = ['limits', 'suspensions', 'testing']
  const panel = composePanel(pages)

  test('each declare themselves', () => {
    const folders = readdirSync(import.meta.dirname, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !WITHOUT_PAGES.includes(entry.name))
      .map(({ name }) => name)
    expect(folders).toHaveLength(pages.length)
  })

  test('have a page for every address of the panel', () => {
    const router = createPanelRouter(new QueryClient())
    const known = new Set(Object.keys(router.routesByPath))
    expect(Object.values(paths).filter((path) => !known.has(path))).toEqual([])
  })

  test('give every server the tabs of its kind, in order', () => {
    const tabsOf = (wanted: string) =>
      panel.serverTabs
        .filter(({ kind }) => kind === undefined || kind === wanted)
        .map(({ label }) => label)
    expect(tabsOf('container')).toEqual(
      'Overview Console Files Backups Schedules Network Startup Metrics Crashes Move Sharing Settings'.split(
        ' ',
      ),
    )
    expect(tabsOf('vm')).toEqual(
      'Overview Screen Serial Hardware Snapshots Backups Schedules Network Metrics Crashes Move Sharing Settings'.split(
        ' ',
      ),
    )
  })

  test('have an icon of their own among what staff see', () => {
    const seen = panel.navigation.filter(({ forCustomers }) => forCustomers !== 'only')
    const icons = new Map(seen.map(({ label, icon }) => [label, icon]))
    expect(new Set(icons.values()).size).toBe(icons.size)
  })

  test('appear in the navigation in their fixed order', () => {
    expect(panel.navigation.map(({ group, label }) => `${group}: ${label}`)).toEqual([
      'fleet: Overview',
      'fleet: Servers',
      'fleet: Nodes',
      'fleet: Jobs',
      'fleet: Failover',
      'catalogue: Templates',
      'catalogue: Virtualization',
      'catalogue: Plans',
      'people: Subscribers',
      'people: Invoices',
      'people: Billing',
      'people: Customers',
      'people: Pending',
      'people: Invitations',
      'people: Tickets',
      'people: Support',
      'people: Help articles',
      'people: Help center',
      'people: Macros',
      'people: Mail and reports',
      'people: Status page',
      'people: Team',
      'people: API tokens',
      'people: Account',
      'system: Appearance',
      'system: E-mail',
      'system: Plugins',
      'system: Audit',
      'system: Settings',
      'system: Settings',
      'system: Settings',
      'system: Settings',
      'system: Usage reporting',
    ])
  })
})
