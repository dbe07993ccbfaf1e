import { CUSTOMER_SORTS } from '@lodge/shared/lists/customers.ts'
import { viewSearch } from '../../routes/list-search.ts'

/** The view in the address of the list of customers: `q` is the text of the filter box. */
export const customersSearch = viewSearch(CUSTOMER_SORTS)

export type CustomersSearch = ReturnType<typeof customersSearch>
