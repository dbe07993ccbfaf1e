import { viewSearch } from '../../routes/list-search.ts'

/** Filter and order in the URL of the list of administrators. */
export const teamSearch = viewSearch(['email', 'permissions', 'state', 'added'])
