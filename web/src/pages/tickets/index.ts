import type { QueryClient } from '@tanstack/react-query'
import { createRoute } from '@tanstack/react-router'
import Inbox from 'lucide-react/icons/inbox'
import MessageCircleQuestion from 'lucide-react/icons/message-circle-question-mark'
import type { Key } from '../../api.ts'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { deskSearch } from './desk-search.ts'
import { names } from './names.ts'
import { notePresence } from './present.ts'
import { newTicketSearch, ownTicketsSearch, reportSearch } from './tickets-search.ts'

const ownCode = () => import('./own/pages.ts')
const deskCode = () => import('./desk/pages.ts')
const settingsCode = () => import('./settings/pages.ts')

const tickets = createRoute({
  getParentRoute: () => inside,
  path: paths.tickets,
  validateSearch: ownTicketsSearch,
  component: page(async () => ({ default: (await ownCode()).ownPages.list })),
})
const newTicket = createRoute({
  getParentRoute: () => inside,
  path: paths.newTicket,
  validateSearch: newTicketSearch,
  component: page(async () => ({ default: (await ownCode()).ownPages.add })),
})
const ticket = createRoute({
  getParentRoute: () => inside,
  path: paths.ticket,
  component: page(async () => ({ default: (await ownCode()).ownPages.one })),
})
/** The list stays beside the ticket that is opened from it. */
const desk = createRoute({
  getParentRoute: () => inside,
  path: paths.desk,
  validateSearch: deskSearch,
  component: page(async () => ({ default: (await deskCode()).deskPages.frame })),
})
const noTicket = createRoute({
  getParentRoute: () => desk,
  path: '/',
  component: page(async () => ({ default: (await deskCode()).deskPages.none })),
})
const deskTicket = createRoute({
  getParentRoute: () => desk,
  path: '$id',
  component: page(async () => ({ default: (await deskCode()).deskPages.one })),
})
const deskSettings = createRoute({
  getParentRoute: () => inside,
  path: paths.deskSettings,
  component: page(async () => ({ default: (await settingsCode()).settingsPages.frame })),
})
const general = createRoute({
  getParentRoute: () => deskSettings,
  path: '/',
  component: page(async () => ({ default: (await settingsCode()).settingsPages.general })),
})
const categories = createRoute({
  getParentRoute: () => deskSettings,
  path: 'categories',
  component: page(async () => ({ default: (await settingsCode()).settingsPages.categories })),
})
const groups = createRoute({
  getParentRoute: () => deskSettings,
  path: 'groups',
  component: page(async () => ({ default: (await settingsCode()).settingsPages.groups })),
})
const rules = createRoute({
  getParentRoute: () => deskSettings,
  path: 'rules',
  component: page(() => import('./rules/rules-tab.tsx')),
})
const hours = createRoute({
  getParentRoute: () => deskSettings,
  path: 'hours',
  component: page(() => import('./hours/hours-tab.tsx')),
})
const tiers = createRoute({
  getParentRoute: () => deskSettings,
  path: 'tiers',
  component: page(() => import('./hours/tiers-tab.tsx')),
})

const reports = createRoute({
  getParentRoute: () => inside,
  path: paths.deskReports,
  validateSearch: reportSearch,
  component: page(() => import('./reports/report-page.tsx')),
})

const TICKETS = 'GET /api/support/tickets' satisfies Key<'GET'>
const TICKET = 'GET /api/support/tickets/{id}' satisfies Key<'GET'>

/** A ticket changed, or something was written in it. */
function refreshTicket(client: QueryClient, { id }: { readonly id: string }): void {
  void client.invalidateQueries({ queryKey: [TICKETS] })
  void client.invalidateQueries({ queryKey: [TICKET, { params: { id } }] })
}

/** The tickets of customers, and the desk where staff answers them. */
export default definePages({
  routes: {
    inside: [
      tickets,
      newTicket,
      ticket,
      desk.addChildren([noTicket, deskTicket]),
      reports,
      deskSettings.addChildren([general, categories, groups, rules, hours, tiers]),
    ],
  },
  navigation: () => [
    {
      to: paths.desk,
      label: names.desk,
      icon: Inbox,
      group: 'people',
      needs: 'support.view',
      shortcut: 'h',
      help: 'support-desk',
    },
    {
      to: paths.tickets,
      label: names.support,
      icon: MessageCircleQuestion,
      group: 'people',
      forCustomers: 'only',
      help: 'support',
    },
  ],
  actions: () => [
    {
      to: paths.deskReports,
      group: 'goTo',
      label: names.reports,
      keywords: names.reportsKeywords,
      needs: 'support.reports',
      help: 'support-desk',
    },
    {
      to: paths.newTicket,
      group: 'create',
      label: names.newTicket,
      keywords: names.newTicketKeywords,
      help: 'support',
    },
    {
      to: paths.deskSettings,
      group: 'settings',
      label: names.deskSettings,
      keywords: names.deskSettingsKeywords,
      needs: 'support.settings',
      help: 'support-desk',
    },
  ],
  rows: { ticket: { remove: (client, id) => refreshTicket(client, { id }) } },
  patches: { ticket: refreshTicket, 'ticket-presence': notePresence },
})
