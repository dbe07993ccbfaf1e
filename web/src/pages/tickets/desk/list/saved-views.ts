import type { ListView } from '@lodge/shared/lists/preferences.ts'
import { type DeskSearch, deskSearch } from '../../desk-search.ts'

/** What a saved view stores: the query of the list, without the page. */
export const filterOf = ({ after: _, ...search }: DeskSearch): string =>
  // In a fixed order, so that a view is recognised.
  new URLSearchParams(deskSearch(search)).toString()

const EVERYTHING = {
  ...{ view: undefined, q: undefined, priority: undefined, category: undefined },
  ...{ group: undefined, tag: undefined, after: undefined },
} as const satisfies Record<keyof DeskSearch, undefined>

/** The query of a saved view, or of a built-in view alone. */
export const searchOf = ({ filter }: Pick<ListView, 'filter'>) => ({
  ...EVERYTHING,
  ...deskSearch(Object.fromEntries(new URLSearchParams(filter))),
})
