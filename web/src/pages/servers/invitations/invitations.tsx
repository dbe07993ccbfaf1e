import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { q } from '../../../query.ts'

const InvitationNotes = lazy(() => import('./invitation-notes.tsx'))

/** Invitations to servers of others; nothing without invitations. */
export function Invitations() {
  const { data } = useQuery(q('GET /api/invitations'))
  if (!data || data.items.length === 0) return null
  return (
    <Suspense>
      <InvitationNotes items={data.items} />
    </Suspense>
  )
}
