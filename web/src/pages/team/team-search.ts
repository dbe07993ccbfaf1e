import { viewSearch } from '../../routes/list-search.ts'

/** The view in the address of the list of administrators. */
export const teamSearch = viewSearch(['email', 'permissions', 'state', 'added'])
