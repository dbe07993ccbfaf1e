import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { Ago, At } from '../../../ui/data/time.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { t } from './words.ts'

/** Shows that a server was brought back recently, and the time of its files. */
export function ReturnNote({ server: { id, nodeId } }: { server: Server }) {
  const { data } = useQuery({
    // The node is part of the key, because a move makes it outdated.
    queryKey: ['GET /api/servers/{id}/return', id, nodeId],
    queryFn: () => api('GET /api/servers/{id}/return', { params: { id } }),
    staleTime: 60_000,
  })
  if (!data?.returned) return null
  const { at, filesOf } = data.returned
  return (
    <Note tone="info" title={t.returned}>
      {filesOf === null
        ? rich(t.returnedWhole({ when: () => <Ago at={at} /> }))
        : rich(t.returnedAs({ when: () => <Ago at={at} />, saved: () => <At at={filesOf} /> }))}
    </Note>
  )
}
