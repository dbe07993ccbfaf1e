import { createRoute } from '@tanstack/react-router'
import UserRound from 'lucide-react/icons/user-round'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
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
const accountLimits = createRoute({
  getParentRoute: () => account,
  path: 'limits',
  component: page(() => import('./limits-tab.tsx')),
})

export default definePages({
  routes: {
    inside: [account.addChildren([accountProfile, accountSecurity, accountLimits])],
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
  ],
})
