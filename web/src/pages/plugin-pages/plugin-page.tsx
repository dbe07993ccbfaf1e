import type { PluginPage as Shown } from '@lodge/shared/plugins/page.ts'
import { useParams, useRouterState } from '@tanstack/react-router'
import { Empty, LoadFailed, PageSkeleton } from '../../ui/notices/states.tsx'
import { Page } from '../../ui/page/page.tsx'
import { useServerQuery } from '../servers/one/use-server.ts'
import { PageFrame } from './page-frame.tsx'
import { titleOf, usePluginPages } from './use-pages.ts'
import { t } from './words.ts'

/**
 * The plugin page in this URL, at the place that it is made for; it disappears when the plugin is
 * turned off.
 */
export default function PluginPage() {
  const { id, plugin, page } = useParams({ strict: false })
  const isAdministration = useRouterState({
    select: ({ location }) => location.pathname.startsWith('/admin/'),
  })
  const { data, error, refetch } = usePluginPages()
  if (!data)
    return error ? <LoadFailed error={error} onRetry={() => void refetch()} /> : <PageSkeleton />
  const found = data.items.find(
    (one) =>
      one.plugin === plugin &&
      one.page === page &&
      one.place === (id === undefined ? 'navigation' : 'server') &&
      (id !== undefined || (one.audience === 'administrators') === isAdministration),
  )
  if (!found)
    return (
      <Empty title={t.missing} art="search">
        {t.missingText}
      </Empty>
    )
  return id === undefined ? (
    <Page title={titleOf(found)}>
      <PageFrame key={found.frame} page={found} />
    </Page>
  ) : (
    <OnServer page={found} />
  )
}

/** A page as a tab of a server. */
function OnServer({ page }: { page: Shown }) {
  const { data } = useServerQuery()
  if (!data) return null
  const { id, name } = data
  return <PageFrame key={`${page.frame} ${id}`} page={page} server={{ id, name }} />
}
