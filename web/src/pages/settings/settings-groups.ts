import type { LimitKey } from '@lodge/shared/limits/keys.ts'
import { DEFAULT_LIMIT_SETTINGS } from '@lodge/shared/limits/settings.ts'
import { paths } from '../../paths.ts'
import { LIMIT_GROUPS, limitsOf } from '../limits/limit-groups.ts'
import { limitName } from '../limits/limit-words.ts'
import { type SettingText, settingsGroup } from './settings-text.ts'

export const SIGN_UP = settingsGroup({
  id: 'sign-up',
  stored: 'signup',
  area: 'Sign-up',
  path: paths.settings,
  may: 'signup.manage',
  fields: {
    mode: { card: 'Who may sign up', label: 'Who may sign up', words: 'registration approval' },
    provider: {
      at: '/captcha/provider',
      card: 'Captcha',
      label: 'Provider',
      words: 'captcha turnstile hcaptcha',
    },
    siteKey: {
      at: '/captcha/siteKey',
      card: 'Captcha',
      label: 'Site key',
      words: 'captcha',
      under: 'provider',
    },
    secret: {
      at: '/captcha/secret',
      card: 'Captcha',
      label: 'Secret',
      words: 'captcha',
      under: 'provider',
    },
    termsUrl: {
      at: '/terms/termsUrl',
      card: 'Terms',
      label: 'Terms of service',
      words: 'address url',
    },
    privacyUrl: {
      at: '/terms/privacyUrl',
      card: 'Terms',
      label: 'Privacy policy',
      words: 'address url',
    },
    required: {
      at: '/terms/required',
      card: 'Terms',
      label: 'Ask people to accept them when they sign up',
      words: 'required',
    },
  },
})

export const SECURITY = settingsGroup({
  id: 'security',
  stored: 'security',
  area: 'Security',
  path: paths.settingsSecurity,
  may: 'settings.manage',
  fields: {
    addresses: {
      at: '/administratorAddresses',
      card: 'Where administrators sign in from',
      label: 'Addresses and networks, one per line',
      description:
        'Empty allows every address. Administrators at other addresses are signed out at once. Customers are not affected.',
      words: 'IP allow-list',
    },
    auditDays: {
      card: 'Audit log',
      label: 'Keep entries for (days)',
      description: 'From 30 to 3650 days.',
      words: 'audit log retention',
    },
  },
})

export const CREATION = settingsGroup({
  id: 'creation',
  stored: 'limits',
  defaults: DEFAULT_LIMIT_SETTINGS,
  area: 'Self-service',
  path: paths.settingsSelfService,
  may: 'limits.settings',
  fields: {
    selfService: {
      card: 'Creating servers',
      label: 'Who may create servers',
    },
  },
})

export const COOLING_OFF = settingsGroup({
  id: 'cooling-off',
  stored: 'self_service',
  area: 'Self-service',
  path: paths.settingsSelfService,
  may: 'settings.manage',
  fields: {
    coolingOffHours: {
      card: 'Deleting servers',
      label: 'Undo period (hours)',
      description: '0 deletes at once. At most 2160 hours, which is 90 days.',
      words: 'cooling-off undo delete server',
    },
  },
})

export const LIMIT_USE = settingsGroup({
  id: 'limit-use',
  stored: 'limits',
  defaults: DEFAULT_LIMIT_SETTINGS,
  area: 'Limits',
  path: paths.settingsLimits,
  may: 'limits.settings',
  fields: {
    useLimits: {
      card: 'Use of limits',
      label: 'Use limits',
      description: 'Off ignores every limit. The numbers are kept.',
      words: 'quota',
    },
    onExceed: {
      card: 'Use of limits',
      label: 'Above a limit',
      words: 'exceed refuse warn',
      under: 'useLimits',
    },
    administrators: {
      card: 'Use of limits',
      label: 'Administrators',
      words: 'exceed force',
      under: 'useLimits',
    },
    warnPercent: {
      card: 'Warnings',
      label: 'Warn at (percent of a limit)',
      words: 'percentage threshold',
    },
    showUsage: { card: 'Warnings', label: 'Show customers what they use', words: 'usage' },
    notifyCustomers: {
      card: 'Warnings',
      label: 'Notify customers near or above a limit',
      words: 'notify notice',
    },
    allowOverrides: {
      card: 'Use of limits',
      label: 'Allow limits by hand for single customers',
      words: 'override',
    },
    countPlanServers: {
      card: 'Use of limits',
      label: 'Count servers that have a plan of their own',
      description: 'Off counts only the other servers against the limits of an account.',
    },
  },
})

/** One setting for every limit, with the names and headings of the limit editor. */
const defaults = (): Readonly<Record<LimitKey, SettingText>> => {
  const texts: Partial<Record<LimitKey, SettingText>> = {}
  for (const group of LIMIT_GROUPS)
    for (const key of limitsOf(group)) texts[key] = { card: group.title(), label: limitName(key) }
  return texts as Readonly<Record<LimitKey, SettingText>>
}

export const LIMIT_DEFAULTS = settingsGroup<LimitKey>({
  id: 'limit',
  stored: 'limit_defaults',
  area: 'Limits',
  path: paths.settingsLimits,
  may: 'limits.settings',
  fields: defaults(),
})

export const MAIL = settingsGroup({
  id: 'mail',
  stored: 'mail',
  area: 'Mail',
  path: paths.settingsMail,
  may: 'settings.manage',
  fields: {
    host: {
      card: 'Mail server',
      label: 'Host',
      description: 'Empty keeps mail in the panel and sends none.',
      words: 'smtp',
    },
    port: { card: 'Mail server', label: 'Port', words: 'smtp' },
    security: { card: 'Mail server', label: 'Encryption', words: 'smtp starttls tls' },
    user: { card: 'Mail server', label: 'User (optional)', words: 'smtp login' },
    password: { card: 'Mail server', label: 'Password', words: 'smtp' },
    fromName: {
      at: '/from/name',
      card: 'Sender',
      label: 'Name',
      description: 'Mails call this panel by the same name.',
      words: 'from',
    },
    fromAddress: { at: '/from/address', card: 'Sender', label: 'Address', words: 'from e-mail' },
    signs: { at: '/dkim', card: 'Signature (DKIM)', label: 'Sign mail' },
    domain: { at: '/dkim', card: 'Signature (DKIM)', label: 'Domain', under: 'signs' },
    selector: { at: '/dkim', card: 'Signature (DKIM)', label: 'Selector', under: 'signs' },
    privateKey: {
      at: '/dkim',
      card: 'Signature (DKIM)',
      label: 'Private key (PEM)',
      under: 'signs',
    },
  },
})

/** Read-only: the environment of the control plane. */
export const ENVIRONMENT = settingsGroup<never>({
  id: 'environment',
  area: 'Environment',
  path: paths.settingsEnvironment,
  may: 'settings.manage',
  stored: 'environment',
  fields: {},
})

/** All settings of the installation, in the order of the page. */
export const SETTINGS_GROUPS = [
  SIGN_UP,
  SECURITY,
  CREATION,
  COOLING_OFF,
  LIMIT_USE,
  LIMIT_DEFAULTS,
  MAIL,
  ENVIRONMENT,
] as const
