import { useQuery } from '@tanstack/react-query'
import { q } from '../../../query.ts'
import { part } from '../../../ui/page/part.tsx'

const InvitationNotes = part(() => import('./invitation-notes.tsx'))

/** Invitations to servers of others; nothing without invitations. */
export function Invitations() {
  const { data } = useQuery(q('GET /api/invitations'))
  if (!data || data.items.length === 0) return null
  return <InvitationNotes items={data.items} />
}
