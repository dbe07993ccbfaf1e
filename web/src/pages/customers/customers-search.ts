import { CUSTOMER_SORTS } from '@lodge/shared/lists/customers.ts'
import { viewSearch } from '../../routes/list-search.ts'

/** Filter and order in the URL of the list; `q` is the text of the filter box. */
export const customersSearch = viewSearch(CUSTOMER_SORTS)

export type CustomersSearch = ReturnType<typeof customersSearch>
