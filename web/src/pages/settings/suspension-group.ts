import { paths } from '../../paths.ts'
import { settingsGroup } from './settings-text.ts'
import { t } from './words.ts'

export const SUSPENSION = settingsGroup({
  id: 'suspension',
  stored: 'suspension',
  area: () => t.suspension,
  path: paths.settingsSuspension,
  may: 'suspension.manage',
  fields: {
    options: {
      card: () => t.suspensionDefaults,
      label: () => t.suspensionDefaults,
      words: () => t.suspensionWords,
    },
    templates: {
      card: () => t.reasonTemplates,
      label: () => t.reasonTemplates,
      words: () => t.suspensionWords,
    },
    appealEnabled: {
      card: () => t.appeals,
      label: () => t.appealEnabled,
      description: () => t.appealEnabledHelp,
    },
    appealWindowDays: {
      card: () => t.appeals,
      label: () => t.appealWindowDays,
      description: () => t.appealWindowHelp,
    },
    retentionDays: {
      card: () => t.retention,
      label: () => t.retentionDays,
      description: () => t.retentionHelp,
    },
  },
})
