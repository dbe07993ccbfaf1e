import type { Customer } from '@lodge/shared/accounts.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { Found } from '../../../panel/define-pages.ts'
import { paths } from '../../../paths.ts'
import { q } from '../../../query.ts'
import { mayIn } from '../../../session/session.ts'
import { names } from '../names.ts'
import { t } from './words.ts'

/** All commands of the palette for one customer, on their page. */
function commandsFor(client: QueryClient, { id, email }: Customer): Found[] {
  const named = { email }
  return [
    { to: paths.customerServers, label: t.openServersOf(named) },
    { to: paths.customerLimits, label: t.openLimitsOf(named) },
    { to: paths.customerNotes, label: t.openNotesOf(named) },
    { to: paths.customerSignIns, label: t.openSignInsOf(named) },
    ...(mayIn(client, 'audit.view')
      ? [{ to: paths.customerActivity, label: t.openActivityOf(named) }]
      : []),
  ].map((page): Found => ({ id: `${id} ${page.to}`, group: email, params: { id }, ...page }))
}

/** Finds customers by address or name; on a customer's page its own commands. */
export default async function findCustomers(
  client: QueryClient,
  text: string,
  path: string,
): Promise<readonly Found[]> {
  if (!mayIn(client, 'customers.view')) return []
  if (text.trim() === '') {
    const id = /^\/admin\/customers\/([^/]+)/.exec(path)?.[1] ?? ''
    const found = client.getQueryData<Customer>(['GET /api/customers/{id}', { params: { id } }])
    return found === undefined ? [] : commandsFor(client, found)
  }
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
