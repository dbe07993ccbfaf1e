import { viewSearch } from '../../routes/list-search.ts'

/** Filter and order in the URL of the list of articles. */
export const articlesSearch = viewSearch(['title', 'section', 'changed', 'votes'])
