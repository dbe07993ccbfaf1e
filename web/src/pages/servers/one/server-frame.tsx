import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { isGone, LoadFailed, PageSkeleton } from '../../../ui/notices/states.tsx'
import { Page } from '../../../ui/page/page.tsx'
import styles from './server.module.css'
import { ServerHead } from './server-head.tsx'
import { useServerQuery } from './use-server.ts'
import { t } from './words.ts'

/** The header that all tabs of a server share, and the tab. */
export default function ServerFrame() {
  const server = useServerQuery()
  if (server.isError && (!server.data || isGone(server.error))) {
    return (
      <Page title={t.server} narrow>
        <LoadFailed error={server.error} onRetry={() => void server.refetch()} />
      </Page>
    )
  }
  if (!server.data) return <PageSkeleton />
  return (
    <>
      <ServerHead server={server.data} />
      <div className={styles.body}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </div>
    </>
  )
}
