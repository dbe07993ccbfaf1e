import { createRoute } from '@tanstack/react-router'
import Users from 'lucide-react/icons/users'
import { liveRows } from '../../live/rows.ts'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { serversSearch } from '../servers/servers-query.ts'
import { customersSearch } from './customers-search.ts'
import { names } from './names.ts'

const customers = createRoute({
  getParentRoute: () => inside,
  path: paths.customers,
  validateSearch: customersSearch,
  component: page(() => import('./customers-page.tsx')),
})
const newCustomer = createRoute({
  getParentRoute: () => inside,
  path: paths.newCustomer,
  component: page(() => import('./new-customer-page.tsx')),
})
const customer = createRoute({
  getParentRoute: () => inside,
  path: paths.customer,
  component: page(() => import('./customer-frame.tsx')),
})
const customerSummary = createRoute({
  getParentRoute: () => customer,
  path: '/',
  component: page(() => import('./summary-tab.tsx')),
})
const customerServers = createRoute({
  getParentRoute: () => customer,
  path: 'servers',
  validateSearch: serversSearch,
  component: page(() => import('./servers-tab.tsx')),
})
const customerLimits = createRoute({
  getParentRoute: () => customer,
  path: 'limits',
  component: page(() => import('./quota-tab.tsx')),
})
const customerNotes = createRoute({
  getParentRoute: () => customer,
  path: 'notes',
  component: page(() => import('./notes-tab.tsx')),
})
const customerSignIns = createRoute({
  getParentRoute: () => customer,
  path: 'sign-ins',
  component: page(() => import('./sign-ins-tab.tsx')),
})
const customerSuspension = createRoute({
  getParentRoute: () => customer,
  path: 'suspension',
  component: page(() => import('../suspensions/suspension-tab.tsx')),
})
const customerActivity = createRoute({
  getParentRoute: () => customer,
  path: 'activity',
  component: page(() => import('./activity-tab.tsx')),
})

export default definePages({
  routes: {
    inside: [
      customers,
      newCustomer,
      customer.addChildren([
        customerSummary,
        customerServers,
        customerLimits,
        customerNotes,
        customerSignIns,
        customerSuspension,
        customerActivity,
      ]),
    ],
  },
  navigation: () => [
    {
      to: paths.customers,
      label: names.customers,
      icon: Users,
      group: 'people',
      needs: 'customers.view',
      shortcut: 'c',
      help: 'customers',
    },
  ],
  actions: () => [
    { to: paths.newCustomer, group: 'create', label: names.newCustomer, needs: 'customers.manage' },
  ],
  find: () => import('./find/find-customers.ts'),
  rows: { customer: liveRows('GET /api/customers', 'GET /api/customers/{id}') },
})
