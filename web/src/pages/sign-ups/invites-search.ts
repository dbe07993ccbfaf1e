import { viewSearch } from '../../routes/list-search.ts'

/** The view in the address of the list of invitations. */
export const invitesSearch = viewSearch(['invitation', 'used', 'expires', 'plan', 'created'])
