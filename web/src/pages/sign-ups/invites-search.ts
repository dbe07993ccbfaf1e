import { viewSearch } from '../../routes/list-search.ts'

/** Filter and order in the URL of the list of invitations. */
export const invitesSearch = viewSearch(['invitation', 'used', 'expires', 'plan', 'created'])
