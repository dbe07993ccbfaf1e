import type { ReactNode } from 'react'
import { useMe } from '../session/session.ts'
import { PageSkeleton } from '../ui/notices/states.tsx'
import { part } from '../ui/page/part.tsx'

const SuspendedPage = part(() => import('../pages/entrance/suspended-page.tsx'))

/** Replaces the panel for suspended accounts; the address stays, so they continue there afterwards. */
export function UnlessSuspended({ children }: { children: ReactNode }) {
  if (useMe().state !== 'suspended') return children
  return <SuspendedPage fallback={<PageSkeleton />} />
}
