import { viewSearch } from '../../routes/list-search.ts'

/** The view in the address of the list of articles. */
export const articlesSearch = viewSearch(['title', 'section', 'changed', 'votes'])
