import { viewSearch } from '../../routes/list-search.ts'

/** Filter and order in the URL of the list of tokens. */
export const tokensSearch = viewSearch(['name', 'creator', 'created', 'used', 'expires'])
