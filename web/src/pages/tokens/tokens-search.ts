import { viewSearch } from '../../routes/list-search.ts'

/** The view in the address of the list of tokens. */
export const tokensSearch = viewSearch(['name', 'creator', 'created', 'used', 'expires'])
