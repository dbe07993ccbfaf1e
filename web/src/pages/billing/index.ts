import { createRoute } from '@tanstack/react-router'
import CreditCard from 'lucide-react/icons/credit-card'
import Receipt from 'lucide-react/icons/receipt'
import Repeat from 'lucide-react/icons/repeat'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside, root } from '../../routes/frames.ts'
import { filteredSearch, pagedSearch, revenueSearch, storeSearch } from './billing-search.ts'
import { names } from './names.ts'

const store = createRoute({
  getParentRoute: () => root,
  path: paths.store,
  validateSearch: storeSearch,
  component: page(() => import('./store/store-page.tsx')),
})
const billing = createRoute({
  getParentRoute: () => inside,
  path: paths.billing,
  component: page(() => import('./own/billing-page.tsx')),
})
const subscribers = createRoute({
  getParentRoute: () => inside,
  path: paths.subscribers,
  validateSearch: filteredSearch,
  component: page(() => import('./manage/subscribers-page.tsx')),
})
const invoices = createRoute({
  getParentRoute: () => inside,
  path: paths.invoices,
  validateSearch: filteredSearch,
  component: page(() => import('./manage/invoices-page.tsx')),
})

const revenue = createRoute({
  getParentRoute: () => inside,
  path: paths.revenue,
  validateSearch: revenueSearch,
  component: page(() => import('./revenue/revenue-page.tsx')),
})

const imports = createRoute({
  getParentRoute: () => inside,
  path: paths.imports,
  validateSearch: pagedSearch,
  component: page(() => import('./imports/imports-page.tsx')),
})

/** What customers buy and pay, and the host's view of it. */
export default definePages({
  routes: { outside: [store], inside: [billing, subscribers, invoices, revenue, imports] },
  navigation: () => [
    {
      to: paths.subscribers,
      label: names.subscribers,
      icon: Repeat,
      group: 'people',
      needs: 'billing.view',
      help: 'billing',
    },
    {
      to: paths.invoices,
      label: names.invoices,
      icon: Receipt,
      group: 'people',
      needs: 'billing.view',
      help: 'billing',
    },
    {
      to: paths.billing,
      label: names.billing,
      icon: CreditCard,
      group: 'people',
      forCustomers: 'only',
    },
  ],
  actions: () => [
    {
      to: paths.revenue,
      group: 'goTo',
      label: names.revenue,
      keywords: names.revenueKeywords,
      needs: 'billing.view',
      help: 'billing',
    },
    {
      to: paths.imports,
      group: 'goTo',
      label: names.imports,
      keywords: names.importsKeywords,
      needs: 'billing.view',
      help: 'billing',
    },
  ],
})
