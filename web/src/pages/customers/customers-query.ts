import { CUSTOMER_FIELDS } from '@lodge/shared/lists/customers.ts'
import { urlOf } from '../../api.ts'
import { q } from '../../query.ts'
import { wantedOf } from '../../routes/list-search.ts'
import type { CustomersSearch } from './customers-search.ts'

/** The query for the page of the list in a URL. */
export const customersQuery = (search: CustomersSearch, limit: number) =>
  q('GET /api/customers', {
    query: {
      limit,
      ...wantedOf(search, CUSTOMER_FIELDS),
      ...(search.after ? { after: search.after } : {}),
    },
  })

/** The whole filtered list as CSV. */
export const customersCsv = (search: CustomersSearch): string =>
  urlOf('/api/customers/export', { query: wantedOf(search, CUSTOMER_FIELDS) })
