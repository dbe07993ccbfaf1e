import type { ListView } from '@lodge/shared/lists/preferences.ts'

export interface Views {
  readonly views: readonly ListView[]
  /** The current state of the list, to save under a name. */
  readonly now: Omit<ListView, 'name'>
}
