import type { QueryClient } from '@tanstack/react-query'
import type { Found } from '../../panel/define-pages.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { mayIn } from '../../session/session.ts'
import { names } from './names.ts'

/** Finds customers by address or name. */
export default async function findCustomers(
  client: QueryClient,
  text: string,
): Promise<readonly Found[]> {
  if (text.trim() === '' || !mayIn(client, 'customers.view')) return []
  const { items } = await client.fetchQuery(
    q('GET /api/customers', { query: { q: text.trim(), limit: 8 } }),
  )
  return items.map(({ id, email, name }) => ({
    id,
    group: names.customers,
    label: email,
    ...(name === null ? {} : { description: name }),
    to: paths.customer,
    params: { id },
  }))
}
