import type { LimitKey } from '@lodge/shared/limits/keys.ts'
import { DEFAULT_LIMIT_SETTINGS } from '@lodge/shared/limits/settings.ts'
import { paths } from '../../paths.ts'
import { LIMIT_GROUPS, limitsOf } from '../limits/limit-groups.ts'
import { limitName } from '../limits/limit-words.ts'
import { BACKUPS } from './backup-group.ts'
import { type SettingText, settingsGroup } from './settings-text.ts'
import { SUSPENSION } from './suspension-group.ts'
import { t } from './words.ts'

export const SIGN_UP = settingsGroup({
  id: 'sign-up',
  stored: 'signup',
  area: () => t.signUp,
  path: paths.settings,
  may: 'signup.manage',
  fields: {
    mode: { card: () => t.whoMaySignUp, label: () => t.whoMaySignUp, words: () => t.modeWords },
    provider: {
      at: '/captcha/provider',
      card: () => t.captcha,
      label: () => t.provider,
      words: () => t.providerWords,
    },
    siteKey: {
      at: '/captcha/siteKey',
      card: () => t.captcha,
      label: () => t.siteKey,
      words: () => t.captchaWords,
      under: 'provider',
    },
    secret: {
      at: '/captcha/secret',
      card: () => t.captcha,
      label: () => t.secret,
      words: () => t.captchaWords,
      under: 'provider',
    },
    termsUrl: {
      at: '/terms/termsUrl',
      card: () => t.terms,
      label: () => t.termsOfService,
      words: () => t.addressWords,
    },
    privacyUrl: {
      at: '/terms/privacyUrl',
      card: () => t.terms,
      label: () => t.privacyPolicy,
      words: () => t.addressWords,
    },
    required: {
      at: '/terms/required',
      card: () => t.terms,
      label: () => t.mustAccept,
      words: () => t.requiredWords,
    },
  },
})

export const SECURITY = settingsGroup({
  id: 'security',
  stored: 'security',
  area: () => t.security,
  path: paths.settingsSecurity,
  may: 'settings.manage',
  fields: {
    addresses: {
      at: '/administratorAddresses',
      card: () => t.administratorAddresses,
      label: () => t.addresses,
      description: () => t.addressesHelp,
      words: () => t.addressesWords,
    },
    auditDays: {
      card: () => t.auditLog,
      label: () => t.keepDays,
      description: () => t.keepDaysHelp,
      words: () => t.auditWords,
    },
  },
})

export const CREATION = settingsGroup({
  id: 'creation',
  stored: 'limits',
  defaults: DEFAULT_LIMIT_SETTINGS,
  area: () => t.selfService,
  path: paths.settingsSelfService,
  may: 'limits.settings',
  fields: {
    selfService: {
      card: () => t.creatingServers,
      label: () => t.whoMayCreate,
    },
  },
})

export const COOLING_OFF = settingsGroup({
  id: 'cooling-off',
  stored: 'self_service',
  area: () => t.selfService,
  path: paths.settingsSelfService,
  may: 'settings.manage',
  fields: {
    coolingOffHours: {
      card: () => t.deletingServers,
      label: () => t.undoPeriod,
      description: () => t.undoPeriodHelp,
      words: () => t.undoWords,
    },
    deletedFilesDays: {
      card: () => t.deletedFiles,
      label: () => t.deletedFilesDays,
      description: () => t.deletedFilesDaysHelp,
      words: () => t.deletedFilesWords,
    },
  },
})

export const LIMIT_USE = settingsGroup({
  id: 'limit-use',
  stored: 'limits',
  defaults: DEFAULT_LIMIT_SETTINGS,
  area: () => t.limits,
  path: paths.settingsLimits,
  may: 'limits.settings',
  fields: {
    useLimits: {
      card: () => t.useOfLimits,
      label: () => t.useLimits,
      description: () => t.useLimitsHelp,
      words: () => t.quotaWords,
    },
    onExceed: {
      card: () => t.useOfLimits,
      label: () => t.aboveLimit,
      words: () => t.exceedWords,
      under: 'useLimits',
    },
    administrators: {
      card: () => t.useOfLimits,
      label: () => t.administrators,
      words: () => t.forceWords,
      under: 'useLimits',
    },
    warnPercent: {
      card: () => t.warnings,
      label: () => t.warnAt,
      words: () => t.thresholdWords,
    },
    showUsage: { card: () => t.warnings, label: () => t.showUsage, words: () => t.usageWords },
    notifyCustomers: {
      card: () => t.warnings,
      label: () => t.notifyCustomers,
      words: () => t.notifyWords,
    },
    allowOverrides: {
      card: () => t.useOfLimits,
      label: () => t.allowOverrides,
      words: () => t.overrideWords,
    },
    countPlanServers: {
      card: () => t.useOfLimits,
      label: () => t.countPlanServers,
      description: () => t.countPlanServersHelp,
    },
  },
})

/** One setting for every limit, with the names and headings of the limit editor. */
const defaults = (): Readonly<Record<LimitKey, SettingText>> => {
  const texts: Partial<Record<LimitKey, SettingText>> = {}
  for (const group of LIMIT_GROUPS)
    for (const key of limitsOf(group))
      texts[key] = { card: group.title, label: () => limitName(key) }
  return texts as Readonly<Record<LimitKey, SettingText>>
}

export const LIMIT_DEFAULTS = settingsGroup<LimitKey>({
  id: 'limit',
  stored: 'limit_defaults',
  area: () => t.limits,
  path: paths.settingsLimits,
  may: 'limits.settings',
  fields: defaults(),
})

export const PANEL_BACKUPS = settingsGroup({
  id: 'panel-backups',
  stored: 'panel-backups',
  area: () => t.backups,
  path: paths.settingsBackups,
  may: 'settings.manage',
  fields: {
    when: {
      card: () => t.panelBackups,
      label: () => t.panelWhen,
      description: () => t.panelWhenHelp,
      words: () => t.panelWords,
    },
    cron: {
      card: () => t.panelBackups,
      label: () => t.panelCron,
      description: () => t.panelCronHelp,
      under: 'when',
    },
    keep: {
      card: () => t.panelBackups,
      label: () => t.panelKeep,
      description: () => t.panelKeepHelp,
      words: () => t.panelWords,
    },
    media: {
      card: () => t.panelBackups,
      label: () => t.panelMedia,
      description: () => t.panelMediaHelp,
    },
    place: { card: () => t.panelPlace, label: () => t.panelPlace, words: () => t.panelWords },
    folder: {
      card: () => t.panelPlace,
      label: () => t.panelFolder,
      description: () => t.panelFolderHelp,
      under: 'place',
    },
    endpoint: { card: () => t.panelPlace, label: () => t.panelEndpoint, at: '/s3', under: 'place' },
    bucket: { card: () => t.panelPlace, label: () => t.panelBucket, at: '/s3', under: 'place' },
    prefix: { card: () => t.panelPlace, label: () => t.panelPrefix, at: '/s3', under: 'place' },
    region: { card: () => t.panelPlace, label: () => t.panelRegion, at: '/s3', under: 'place' },
    accessKeyId: {
      card: () => t.panelPlace,
      label: () => t.panelAccessKeyId,
      at: '/s3',
      under: 'place',
    },
    secretAccessKey: {
      card: () => t.panelPlace,
      label: () => t.panelSecretAccessKey,
      at: '/s3',
      under: 'place',
    },
  },
})

export const MAIL = settingsGroup({
  id: 'mail',
  stored: 'mail',
  area: () => t.mail,
  path: paths.settingsMail,
  may: 'settings.manage',
  fields: {
    host: {
      card: () => t.mailServer,
      label: () => t.host,
      description: () => t.hostHelp,
      words: () => t.smtpWords,
    },
    port: { card: () => t.mailServer, label: () => t.port, words: () => t.smtpWords },
    security: {
      card: () => t.mailServer,
      label: () => t.encryption,
      words: () => t.encryptionWords,
    },
    user: { card: () => t.mailServer, label: () => t.user, words: () => t.loginWords },
    password: { card: () => t.mailServer, label: () => t.password, words: () => t.smtpWords },
    fromName: {
      at: '/from/name',
      card: () => t.sender,
      label: () => t.fromName,
      description: () => t.fromNameHelp,
      words: () => t.fromWords,
    },
    fromAddress: {
      at: '/from/address',
      card: () => t.sender,
      label: () => t.fromAddress,
      words: () => t.senderWords,
    },
    signs: { at: '/dkim', card: () => t.signature, label: () => t.signMail },
    domain: { at: '/dkim', card: () => t.signature, label: () => t.domain, under: 'signs' },
    selector: { at: '/dkim', card: () => t.signature, label: () => t.selector, under: 'signs' },
    privateKey: {
      at: '/dkim',
      card: () => t.signature,
      label: () => t.privateKey,
      under: 'signs',
    },
  },
})

/** Read-only: the environment of the control plane. */
export const ENVIRONMENT = settingsGroup<never>({
  id: 'environment',
  area: () => t.environment,
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
  BACKUPS,
  PANEL_BACKUPS,
  SUSPENSION,
  MAIL,
  ENVIRONMENT,
] as const
