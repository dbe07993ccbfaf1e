import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { paths } from '../../paths.ts'

type SettingsPath = Extract<(typeof paths)[keyof typeof paths], `/admin/settings${string}`>

/** The texts of one setting, for its field and for the search. */
export interface SettingText {
  /** Heading of its card on the page. */
  readonly card: () => string
  readonly label: () => string
  readonly description?: () => string
  /** JSON pointer to its value, if different from its name. */
  readonly at?: string
  /** Synonyms for the search. */
  readonly words?: () => string
  /** The setting of the same group that decides whether this one is shown. */
  readonly under?: string
}

/** Settings that are saved together, and their place on the page. */
export interface SettingsGroup<F extends string = string> {
  readonly id: string
  readonly area: () => string
  readonly path: SettingsPath
  readonly may: AdminPermission
  /** The key under which the API stores it. */
  readonly stored: string
  readonly fields: Readonly<Record<F, SettingText>>
  /** The defaults, where they are known without asking the API. */
  readonly defaults?: Readonly<Record<string, unknown>>
}

/** Keeps the field names in the type, so that a form over the group must use the same. */
export const settingsGroup = <F extends string>(group: SettingsGroup<F>): SettingsGroup<F> => group

/** The id of a setting's control on the page. */
export const settingId = (group: SettingsGroup, name: string): string => `${group.id}-${name}`
