import { createRoute, lazyRouteComponent as page } from '@tanstack/react-router'
import { paths } from '../paths.ts'
import { inside } from './root.ts'
import * as search from './search.ts'

/** Own account, and everything about people: customers, team, their mail and their record. */

const account = createRoute({
  getParentRoute: () => inside,
  path: paths.account,
  component: page(() => import('../pages/account/account-frame.tsx')),
})
const accountProfile = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: page(() => import('../pages/account/profile-tab.tsx')),
})
const accountSecurity = createRoute({
  getParentRoute: () => account,
  path: 'security',
  component: page(() => import('../pages/account/security-tab.tsx')),
})
const accountLimits = createRoute({
  getParentRoute: () => account,
  path: 'limits',
  component: page(() => import('../pages/account/limits-tab.tsx')),
})
const notifications = createRoute({
  getParentRoute: () => inside,
  path: paths.notifications,
  validateSearch: search.inboxSearch,
  component: page(() => import('../pages/notifications/notifications-page.tsx')),
})
const transfer = createRoute({
  getParentRoute: () => inside,
  path: paths.transfer,
  component: page(() => import('../pages/team/transfer-page.tsx')),
})

const customers = createRoute({
  getParentRoute: () => inside,
  path: paths.customers,
  validateSearch: search.listSearch,
  component: page(() => import('../pages/customers/customers-page.tsx')),
})
const newCustomer = createRoute({
  getParentRoute: () => inside,
  path: paths.newCustomer,
  component: page(() => import('../pages/customers/new-customer-page.tsx')),
})
const customer = createRoute({
  getParentRoute: () => inside,
  path: paths.customer,
  component: page(() => import('../pages/customers/customer-frame.tsx')),
})
const customerOverview = createRoute({
  getParentRoute: () => customer,
  path: '/',
  component: page(() => import('../pages/customers/overview-tab.tsx')),
})
const customerLimits = createRoute({
  getParentRoute: () => customer,
  path: 'limits',
  component: page(() => import('../pages/customers/quota-tab.tsx')),
})
const plans = createRoute({
  getParentRoute: () => inside,
  path: paths.plans,
  component: page(() => import('../pages/plans/plans-page.tsx')),
})
const newPlan = createRoute({
  getParentRoute: () => inside,
  path: paths.newPlan,
  component: page(() => import('../pages/plans/new-plan-page.tsx')),
})
const plan = createRoute({
  getParentRoute: () => inside,
  path: paths.plan,
  component: page(() => import('../pages/plans/plan-page.tsx')),
})
const pending = createRoute({
  getParentRoute: () => inside,
  path: paths.pending,
  validateSearch: search.pageSearch,
  component: page(() => import('../pages/sign-ups/pending-page.tsx')),
})
const invites = createRoute({
  getParentRoute: () => inside,
  path: paths.invites,
  component: page(() => import('../pages/sign-ups/invites-page.tsx')),
})
const team = createRoute({
  getParentRoute: () => inside,
  path: paths.team,
  component: page(() => import('../pages/team/team-page.tsx')),
})
const tokens = createRoute({
  getParentRoute: () => inside,
  path: paths.tokens,
  component: page(() => import('../pages/tokens/tokens-page.tsx')),
})

const email = createRoute({
  getParentRoute: () => inside,
  path: paths.email,
  component: page(() => import('../pages/email/email-frame.tsx')),
})
const emailOutbox = createRoute({
  getParentRoute: () => email,
  path: '/',
  validateSearch: search.outboxSearch,
  component: page(() => import('../pages/email/outbox-tab.tsx')),
})
const emailTemplates = createRoute({
  getParentRoute: () => email,
  path: 'templates',
  component: page(() => import('../pages/email/templates-tab.tsx')),
})
const emailTemplate = createRoute({
  getParentRoute: () => inside,
  path: paths.emailTemplate,
  component: page(() => import('../pages/email/template-page.tsx')),
})
const audit = createRoute({
  getParentRoute: () => inside,
  path: paths.audit,
  validateSearch: search.auditSearch,
  component: page(() => import('../pages/audit/audit-page.tsx')),
})

const settings = createRoute({
  getParentRoute: () => inside,
  path: paths.settings,
  component: page(() => import('../pages/settings/settings-frame.tsx')),
})
const settingsSignup = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: page(() => import('../pages/settings/sign-up-tab.tsx')),
})
const settingsSecurity = createRoute({
  getParentRoute: () => settings,
  path: 'security',
  component: page(() => import('../pages/settings/security-tab.tsx')),
})
const settingsSelfService = createRoute({
  getParentRoute: () => settings,
  path: 'self-service',
  component: page(() => import('../pages/settings/self-service-tab.tsx')),
})
const settingsLimits = createRoute({
  getParentRoute: () => settings,
  path: 'limits',
  component: page(() => import('../pages/settings/limits-tab.tsx')),
})
const settingsMail = createRoute({
  getParentRoute: () => settings,
  path: 'mail',
  component: page(() => import('../pages/settings/mail-tab.tsx')),
})
const settingsEnvironment = createRoute({
  getParentRoute: () => settings,
  path: 'environment',
  component: page(() => import('../pages/settings/environment-tab.tsx')),
})

export const peopleRoutes = [
  account.addChildren([accountProfile, accountSecurity, accountLimits]),
  notifications,
  transfer,
  customers,
  newCustomer,
  customer.addChildren([customerOverview, customerLimits]),
  plans,
  newPlan,
  plan,
  pending,
  invites,
  team,
  tokens,
  email.addChildren([emailOutbox, emailTemplates]),
  emailTemplate,
  audit,
  settings.addChildren([
    settingsSignup,
    settingsSecurity,
    settingsSelfService,
    settingsLimits,
    settingsMail,
    settingsEnvironment,
  ]),
] as const
