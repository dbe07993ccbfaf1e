import type { LimitKey } from '@lodge/shared/limits/keys.ts'
import { paths } from '../../paths.ts'
import { LIMIT_GROUPS, limitsOf } from '../limits/limit-groups.ts'
import { LIMIT_NAMES } from '../limits/limit-words.ts'
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
    termsUrl: { at: '/terms/termsUrl', card: 'Terms', label: 'Address of the terms of service' },
    privacyUrl: { at: '/terms/privacyUrl', card: 'Terms', label: 'Address of the privacy policy' },
    required: {
      at: '/terms/required',
      card: 'Terms',
      label: 'Nobody signs up without accepting them',
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
      card: 'Where administrators may work from',
      label: 'Addresses and networks, one to a line',
      description:
        'Empty: from everywhere. Whoever is elsewhere loses what they have open at once. Customers are not concerned.',
      words: 'IP allow-list',
    },
    auditDays: {
      card: 'Record of changes',
      label: 'Days that entries are kept',
      description: 'From 30 to 3650',
      words: 'audit log retention',
    },
  },
})

export const CREATION = settingsGroup({
  id: 'creation',
  stored: 'limits',
  area: 'Self-service',
  path: paths.settingsSelfService,
  may: 'limits.settings',
  fields: {
    selfService: {
      card: 'Who may create servers by themselves',
      label: 'Who may create servers by themselves',
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
      card: 'Deletion by customers',
      label: 'Hours in which they can take it back',
      description: '0 deletes at once; at most 2160, which are 90 days',
      words: 'cooling-off undo delete server',
    },
  },
})

export const LIMIT_USE = settingsGroup({
  id: 'limit-use',
  stored: 'limits',
  area: 'Limits',
  path: paths.settingsLimits,
  may: 'limits.settings',
  fields: {
    useLimits: {
      card: 'Use of limits',
      label: 'Use limits',
      description: 'Off ignores every limit everywhere; the numbers are kept',
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
    warnPercent: { card: 'Use of limits', label: 'Warn from this percentage of a limit on' },
    showUsage: { card: 'Use of limits', label: 'Show customers what they use', words: 'usage' },
    notifyCustomers: {
      card: 'Use of limits',
      label: 'Tell customers when they come close or are above',
      words: 'notify notice',
    },
    allowOverrides: {
      card: 'Use of limits',
      label: 'Limits by hand on single customers hold',
      words: 'override',
    },
    countPlanServers: {
      card: 'Use of limits',
      label: 'Servers of a server plan count too',
      description: 'Off: only servers without a plan of their own take from an account’s limits',
    },
  },
})

/** One setting for every limit, with the names and headings of the limit editor. */
const defaults = (): Readonly<Record<LimitKey, SettingText>> => {
  const texts: Partial<Record<LimitKey, SettingText>> = {}
  for (const group of LIMIT_GROUPS)
    for (const key of limitsOf(group)) texts[key] = { card: group.title, label: LIMIT_NAMES[key] }
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
      description: 'Empty: mail is kept here and not sent',
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
      description: 'Also what mails call this panel',
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
