import type { ShownServer } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { q } from '../../../query.ts'

/** The server in this page's address. */
export const useServerQuery = () => {
  const { id } = useParams({ from: '/in/servers/$id' })
  return useQuery(q('GET /api/servers/{id}', { params: { id } }))
}

/** The same inside the tabs, after the frame has loaded it. */
export function useServer(): ShownServer {
  const { data } = useServerQuery()
  if (!data) throw new Error('outside-of-server-frame')
  return data
}
