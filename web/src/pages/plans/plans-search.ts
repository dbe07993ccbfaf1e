import { viewSearch } from '../../routes/list-search.ts'

/** Filter and order in the URL of the list of plans. */
export const plansSearch = viewSearch(['name', 'customers', 'created'])
