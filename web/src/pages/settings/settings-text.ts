import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { paths } from '../../paths.ts'

type SettingsPath = Extract<(typeof paths)[keyof typeof paths], `/admin/settings${string}`>

/** The words of one setting: what draws its field is also what finds it. */
export interface SettingText {
  /** Heading of the part of the page where it stands. */
  readonly card: string
  readonly label: string
  readonly description?: string
  /** JSON pointer to its value, if that is not its name. */
  readonly at?: string
  /** What else people call it. */
  readonly words?: string
  /** The setting of the same group that decides whether this one is there. */
  readonly under?: string
}

/** Settings that are saved together, and where they stand. */
export interface SettingsGroup<F extends string = string> {
  readonly id: string
  readonly area: string
  readonly path: SettingsPath
  readonly may: AdminPermission
  /** The area under which the interface keeps it. */
  readonly stored: string
  readonly fields: Readonly<Record<F, SettingText>>
}

/** Keeps the names of the fields, so that a form over the group has to have the same. */
export const settingsGroup = <F extends string>(group: SettingsGroup<F>): SettingsGroup<F> => group

/** The id of a setting's control on the page. */
export const settingId = (group: SettingsGroup, name: string): string => `${group.id}-${name}`
