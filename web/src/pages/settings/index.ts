import type { QueryClient } from '@tanstack/react-query'
import { createRoute } from '@tanstack/react-router'
import Settings from 'lucide-react/icons/settings'
import type { Key } from '../../api.ts'
import { definePages } from '../../panel/define-pages.ts'
import { page } from '../../panel/page.ts'
import { paths } from '../../paths.ts'
import { inside } from '../../routes/frames.ts'
import { names } from './names.ts'

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
const settingsSuspension = createRoute({
  getParentRoute: () => settings,
  path: 'suspension',
  component: page(() => import('./suspension-tab.tsx')),
})
const settingsMail = createRoute({
  getParentRoute: () => settings,
  path: 'mail',
  component: page(() => import('./mail-tab.tsx')),
})
const settingsBackups = createRoute({
  getParentRoute: () => settings,
  path: 'backups',
  component: page(() => import('./backups-tab.tsx')),
})
const settingsEnvironment = createRoute({
  getParentRoute: () => settings,
  path: 'environment',
  component: page(() => import('./environment-tab.tsx')),
})

/** A backup of the panel began or ended. */
function refreshPanelBackups(client: QueryClient): void {
  const key = 'GET /api/panel-backups' satisfies Key<'GET'>
  void client.invalidateQueries({ queryKey: [key] })
}

export default definePages({
  routes: {
    inside: [
      settings.addChildren([
        settingsSignup,
        settingsSecurity,
        settingsSelfService,
        settingsLimits,
        settingsBackups,
        settingsSuspension,
        settingsMail,
        settingsEnvironment,
      ]),
    ],
  },
  find: () => import('./find-settings.ts'),
  patches: { 'panel-backups': refreshPanelBackups },
  actions: () => [
    {
      to: paths.settings,
      group: 'settings',
      label: names.signUp,
      keywords: names.signUpKeywords,
      needs: 'signup.manage',
    },
    {
      to: paths.settingsSecurity,
      group: 'settings',
      label: names.security,
      keywords: names.securityKeywords,
      needs: 'settings.manage',
    },
    {
      to: paths.settingsSelfService,
      group: 'settings',
      label: names.selfService,
      keywords: names.selfServiceKeywords,
      needs: 'limits.settings',
    },
    {
      to: paths.settingsLimits,
      group: 'settings',
      label: names.limits,
      keywords: names.limitsKeywords,
      needs: 'limits.settings',
    },
    {
      to: paths.settingsBackups,
      group: 'settings',
      label: names.backups,
      keywords: names.backupsKeywords,
      needs: 'settings.manage',
    },
    {
      to: paths.settingsSuspension,
      group: 'settings',
      label: names.suspension,
      keywords: names.suspensionKeywords,
      needs: 'suspension.manage',
    },
    {
      to: paths.settingsMail,
      group: 'settings',
      label: names.mail,
      keywords: names.mailKeywords,
      needs: 'settings.manage',
    },
    {
      to: paths.settingsEnvironment,
      group: 'settings',
      label: names.environment,
      keywords: names.environmentKeywords,
      needs: 'settings.manage',
    },
  ],
  // Links to the first area that the person may see.
  navigation: () => [
    {
      to: paths.settings,
      label: names.settings,
      icon: Settings,
      group: 'system',
      help: 'settings',
      needs: 'signup.manage',
    },
    {
      to: paths.settingsMail,
      label: names.settings,
      icon: Settings,
      group: 'system',
      help: 'settings',
      needs: 'settings.manage',
    },
    {
      to: paths.settingsLimits,
      label: names.settings,
      icon: Settings,
      group: 'system',
      help: 'settings',
      needs: 'limits.settings',
    },
    {
      to: paths.settingsSuspension,
      label: names.settings,
      icon: Settings,
      group: 'system',
      help: 'settings',
      needs: 'suspension.manage',
    },
  ],
})
