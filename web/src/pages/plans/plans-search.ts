import { viewSearch } from '../../routes/list-search.ts'

/** The view in the address of the list of plans. */
export const plansSearch = viewSearch(['name', 'customers', 'created'])
