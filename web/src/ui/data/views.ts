import type { ListView } from '@lodge/shared/lists/preferences.ts'

export interface Views {
  readonly views: readonly ListView[]
  /** The list as it is now, to be saved under a name. */
  readonly now: Omit<ListView, 'name'>
}
