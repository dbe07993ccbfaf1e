import { createRoute, redirect } from '@tanstack/react-router'
import UserRound from 'lucide-react/icons/user-round'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { meQuery } from '../../session/session.ts'
import { names } from './names.ts'

const account = createRoute({
  getParentRoute: () => inside,
  path: paths.account,
  component: page(() => import('./account-frame.tsx')),
})
const accountProfile = createRoute({
  getParentRoute: () => account,
  path: '/',
  component: page(() => import('./profile-tab.tsx')),
})
const accountSecurity = createRoute({
  getParentRoute: () => account,
  path: 'security',
  component: page(() => import('./security-tab.tsx')),
})
const accountKeys = createRoute({
  getParentRoute: () => account,
  path: 'keys',
  component: page(() => import('./keys/keys-tab.tsx')),
})
const accountNotifications = createRoute({
  getParentRoute: () => account,
  path: 'notifications',
  component: page(() => import('./notifications/notifications-tab.tsx')),
})
const accountLimits = createRoute({
  getParentRoute: () => account,
  path: 'limits',
  // Administrators have no limits, but may have the address from a customer.
  beforeLoad: async ({ context }) => {
    const { role } = await context.client.ensureQueryData(meQuery)
    if (role !== 'customer') throw redirect({ to: paths.account, replace: true })
  },
  component: page(() => import('./limits-tab.tsx')),
})

export default definePages({
  routes: {
    inside: [
      account.addChildren([
        accountProfile,
        accountSecurity,
        accountKeys,
        accountNotifications,
        accountLimits,
      ]),
    ],
  },
  navigation: () => [
    {
      to: paths.account,
      label: names.account,
      icon: UserRound,
      group: 'people',
      forCustomers: 'only',
      shortcut: 'a',
      help: 'account',
    },
  ],
  actions: () => [
    {
      to: paths.account,
      group: 'settings',
      label: names.profile,
      keywords: names.profileKeywords,
    },
    {
      to: paths.accountSecurity,
      group: 'settings',
      label: names.security,
      keywords: names.securityKeywords,
    },
    {
      to: paths.accountKeys,
      group: 'settings',
      label: names.keys,
      keywords: names.keysKeywords,
      help: 'sftp',
    },
    {
      to: paths.accountNotifications,
      group: 'settings',
      label: names.channels,
      keywords: names.channelsKeywords,
      help: 'notifications',
    },
  ],
})
