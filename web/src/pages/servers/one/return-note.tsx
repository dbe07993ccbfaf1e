import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { Ago, At } from '../../../ui/data/time.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { rich } from '../../../ui/page/rich.ts'
import { t } from './words.ts'

/** A server that was brought back lately: of when its files are. */
export function ReturnNote({ server: { id, nodeId } }: { server: Server }) {
  const { data } = useQuery({
    // Where it is changes what became of it.
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
