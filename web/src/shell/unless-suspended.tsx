import { lazy, type ReactNode, Suspense } from 'react'
import { useMe } from '../session/session.ts'
import { PageSkeleton } from '../ui/notices/states.tsx'

const SuspendedPage = lazy(() => import('../pages/entrance/suspended-page.tsx'))

/** Replaces the panel for suspended accounts; the address stays, so they continue there afterwards. */
export function UnlessSuspended({ children }: { children: ReactNode }) {
  if (useMe().state !== 'suspended') return children
  return (
    <Suspense fallback={<PageSkeleton />}>
      <SuspendedPage />
    </Suspense>
  )
}
