import { LimitLayer } from '@lodge/shared/limits/keys.ts'
import { DEFAULT_LIMIT_SETTINGS, LimitSettings } from '@lodge/shared/limits/settings.ts'
import type { Area } from '../../catalogue.ts'

export const limitSettings: Area<LimitSettings> = {
  name: 'limits',
  schema: LimitSettings,
  initial: DEFAULT_LIMIT_SETTINGS,
}

/** The lowest layer: defaults for every customer. Null means no limit. */
export const limitDefaults: Area<LimitLayer> = {
  name: 'limit_defaults',
  schema: LimitLayer,
  initial: { maxAttachedFilesMb: 2048 },
}
