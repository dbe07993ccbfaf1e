import { createRoute, lazyRouteComponent as page } from '@tanstack/react-router'
import Settings from 'lucide-react/icons/settings'
import { definePages } from '../../panel/define-pages.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'

const settings = createRoute({
  getParentRoute: () => inside,
  path: paths.settings,
  component: page(() => import('./settings-frame.tsx')),
})
const settingsSignup = createRoute({
  getParentRoute: () => settings,
  path: '/',
  component: page(() => import('./sign-up-tab.tsx')),
})
const settingsSecurity = createRoute({
  getParentRoute: () => settings,
  path: 'security',
  component: page(() => import('./security-tab.tsx')),
})
const settingsSelfService = createRoute({
  getParentRoute: () => settings,
  path: 'self-service',
  component: page(() => import('./self-service-tab.tsx')),
})
const settingsLimits = createRoute({
  getParentRoute: () => settings,
  path: 'limits',
  component: page(() => import('./limits-tab.tsx')),
})
const settingsMail = createRoute({
  getParentRoute: () => settings,
  path: 'mail',
  component: page(() => import('./mail-tab.tsx')),
})
const settingsEnvironment = createRoute({
  getParentRoute: () => settings,
  path: 'environment',
  component: page(() => import('./environment-tab.tsx')),
})

export default definePages({
  routes: {
    inside: [
      settings.addChildren([
        settingsSignup,
        settingsSecurity,
        settingsSelfService,
        settingsLimits,
        settingsMail,
        settingsEnvironment,
      ]),
    ],
  },
  find: () => import('./find-settings.ts'),
  actions: [
    {
      to: paths.settings,
      group: 'Settings',
      label: 'Settings: sign-up',
      keywords: 'registration captcha terms approval',
      needs: 'signup.manage',
    },
    {
      to: paths.settingsSecurity,
      group: 'Settings',
      label: 'Settings: security',
      keywords: 'second factor addresses allow list',
      needs: 'settings.manage',
    },
    {
      to: paths.settingsSelfService,
      group: 'Settings',
      label: 'Settings: self-service',
      keywords: 'customers create servers',
      needs: 'limits.settings',
    },
    {
      to: paths.settingsLimits,
      group: 'Settings',
      label: 'Settings: limits',
      keywords: 'defaults quota memory disk cpu',
      needs: 'limits.settings',
    },
    {
      to: paths.settingsMail,
      group: 'Settings',
      label: 'Settings: mail',
      keywords: 'smtp e-mail server sender',
      needs: 'settings.manage',
    },
    {
      to: paths.settingsEnvironment,
      group: 'Settings',
      label: 'Settings: environment',
      keywords: 'variables configuration health version',
      needs: 'settings.manage',
    },
  ],
  // The entry leads to the first area that a person may see.
  navigation: [
    {
      to: paths.settings,
      label: 'Settings',
      icon: Settings,
      group: 'System',
      needs: 'signup.manage',
    },
    {
      to: paths.settingsMail,
      label: 'Settings',
      icon: Settings,
      group: 'System',
      needs: 'settings.manage',
    },
    {
      to: paths.settingsLimits,
      label: 'Settings',
      icon: Settings,
      group: 'System',
      needs: 'limits.settings',
    },
  ],
})
