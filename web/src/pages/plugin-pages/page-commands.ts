import type { PluginPage } from '@lodge/shared/plugins/page.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { Found } from '../../panel/define-pages.ts'
import { paths } from '../../paths.ts'
import { q } from '../../query.ts'
import { useSomePluginPages } from '../../session/plugin-pages.ts'
import { titleOf, usePluginPages } from './use-pages.ts'

/** What the palette offers of plugins: their pages on a side, and their tabs of the server on the page. */
export function usePageCommands(
  side: 'administration' | 'own',
  path: string,
  goTo: string,
): readonly Found[] {
  const client = useQueryClient()
  const id = /^\/servers\/([^/]+)/.exec(path)?.[1] ?? ''
  const server = client.getQueryData(q('GET /api/servers/{id}', { params: { id } }).queryKey)
  const audience = side === 'own' ? 'customers' : 'administrators'
  const pages = usePluginPages(useSomePluginPages()).data?.items ?? []
  const found = (one: PluginPage) => ({
    id: `${one.place}/${one.plugin}/${one.page}`,
    label: titleOf(one),
  })
  return pages.flatMap((one): Found[] => {
    const params = { plugin: one.plugin, page: one.page }
    if (one.place === 'server')
      return server
        ? [
            {
              ...{ ...found(one), group: server.name },
              ...{ to: paths.serverPluginPage, params: { id: server.id, ...params } },
            },
          ]
        : []
    const to = audience === 'customers' ? paths.pluginPage : paths.adminPluginPage
    return one.audience === audience ? [{ ...found(one), group: goTo, to, params }] : []
  })
}
