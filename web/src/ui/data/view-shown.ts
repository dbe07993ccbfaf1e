import type { ListView } from '@lodge/shared/lists/preferences.ts'

export interface Views {
  readonly views: readonly ListView[]
  /** The list as it is now, to be saved under a name. */
  readonly now: Omit<ListView, 'name'>
}

/** The view that a list shows, if it is one of the saved ones. */
export const viewShown = ({ views, now }: Views): ListView | undefined =>
  views.find(({ filter, sort }) => filter === now.filter && sort === now.sort)
