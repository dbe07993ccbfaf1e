import type { QueryClient } from '@tanstack/react-query'
import type { Found } from '../../panel/define-pages.ts'
import { paths } from '../../paths.ts'
import { qAll } from '../../query.ts'
import { mayIn } from '../../session/session.ts'
import { names } from './names.ts'

/** Finds nodes by name or location. */
export default async function findNodes(
  client: QueryClient,
  text: string,
): Promise<readonly Found[]> {
  if (text.trim() === '' || !mayIn(client, 'nodes.view')) return []
  const { items } = await client.fetchQuery(qAll('GET /api/nodes'))
  return items.map(({ id, name, location }) => ({
    id,
    group: names.nodes,
    label: name,
    description: location,
    to: paths.node,
    params: { id },
  }))
}
