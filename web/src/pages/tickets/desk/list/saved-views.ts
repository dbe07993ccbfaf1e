import type { ListView } from '@lodge/shared/lists/preferences.ts'
import { type DeskSearch, deskSearch } from '../../desk-search.ts'

/** What a saved view keeps: the address of the list, without the page that is open. */
export const filterOf = ({ after: _, ...search }: DeskSearch): string =>
  // Always in the same order, so that a view is recognised.
  new URLSearchParams(deskSearch(search)).toString()

const EVERYTHING = {
  ...{ view: undefined, q: undefined, priority: undefined, category: undefined },
  ...{ group: undefined, tag: undefined, after: undefined },
} as const satisfies Record<keyof DeskSearch, undefined>

/** The list as a saved view shows it, or with this view of the desk alone. */
export const searchOf = ({ filter }: Pick<ListView, 'filter'>) => ({
  ...EVERYTHING,
  ...deskSearch(Object.fromEntries(new URLSearchParams(filter))),
})
