import type { Node } from '@lodge/shared/nodes.ts'
import type { QueryClient } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { callOf } from '../../../command/call-of.ts'
import type { Found } from '../../../panel/define-pages.ts'
import { paths } from '../../../paths.ts'
import { qAll } from '../../../query.ts'
import { mayIn } from '../../../session/session.ts'
import { names } from '../names.ts'
import { t } from './words.ts'

/** Everything that the palette offers for one node, on its page. */
function commandsFor(client: QueryClient, node: Node): Found[] {
  const { id, name, cordoned } = node
  const params = { id }
  const named = { node: name }
  const key = cordoned ? 'POST /api/nodes/{id}/uncordon' : 'POST /api/nodes/{id}/cordon'
  const pages = [
    { to: paths.nodeServers, label: t.openServersOf(named) },
    { to: paths.nodeMetrics, label: t.openMetricsOf(named) },
    { to: paths.nodeChecks, label: t.openChecksOf(named) },
    { to: paths.nodeLog, label: t.openLogOf(named) },
  ]
  const toggle: Found = {
    id: `${id} cordon`,
    group: name,
    label: cordoned ? t.uncordonNamed(named) : t.cordonNamed(named),
    keywords: t.cordonKeywords,
    call: callOf(key, { params }),
    run: async () => {
      await api(key, { params })
      for (const list of ['GET /api/nodes', 'GET /api/nodes/{id}'])
        await client.invalidateQueries({ queryKey: [list] })
      return cordoned ? t.isUncordoned(named) : t.isCordoned(named)
    },
  }
  return [
    ...(mayIn(client, 'nodes.manage') ? [toggle] : []),
    ...pages.map((page): Found => ({ id: `${id} ${page.to}`, group: name, params, ...page })),
  ]
}

/** Finds nodes by name or location; on a node's page its own commands. */
export default async function findNodes(
  client: QueryClient,
  text: string,
  path: string,
): Promise<readonly Found[]> {
  if (!mayIn(client, 'nodes.view')) return []
  if (text.trim() === '') {
    const id = /^\/admin\/nodes\/([^/]+)/.exec(path)?.[1] ?? ''
    const node = client.getQueryData<Node>(['GET /api/nodes/{id}', { params: { id } }])
    return node === undefined ? [] : commandsFor(client, node)
  }
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
