import type { PluginPage } from '@lodge/shared/plugins/page.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { Found } from '../../panel/define-pages.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { arePluginPages } from '../../session/plugin-pages.ts'
import { titleOf } from './use-pages.ts'
import { t } from './words.ts'

/**
 * The tabs that plugins add to the current server, and other pages of plugins that match the typed
 * text.
 */
export default async function findPages(
  client: QueryClient,
  text: string,
  path: string,
): Promise<readonly Found[]> {
  if (!arePluginPages(client)) return []
  const { items } = await client.fetchQuery({
    ...q('GET /api/plugin-pages'),
    staleTime: 5 * 60_000,
  })
  const id = /^\/servers\/([^/]+)/.exec(path)?.[1] ?? ''
  const server = client.getQueryData(q('GET /api/servers/{id}', { params: { id } }).queryKey)
  return items.flatMap((one): Found[] => {
    const params = { plugin: one.plugin, page: one.page }
    const shown = { id: `${one.place}/${one.plugin}/${one.page}`, label: titleOf(one) }
    if (one.place === 'server')
      return server
        ? [
            {
              ...{ ...shown, group: server.name, to: paths.serverPluginPage },
              params: { id: server.id, ...params },
            },
          ]
        : []
    return text.trim() === '' || !isOf(one, path)
      ? []
      : [{ ...shown, group: t.group, to: pathOf(one), params }]
  })
}

/** Pages for customers are offered outside of the administration. */
const isOf = ({ audience }: PluginPage, path: string): boolean =>
  audience === 'administrators' || !path.startsWith('/admin')

const pathOf = ({ audience }: PluginPage) =>
  audience === 'customers' ? paths.pluginPage : paths.adminPluginPage
