import type { Node } from '@lodge/shared/nodes.ts'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { q } from '../../query.ts'

/** The node in this page's address. */
export const useNodeQuery = () => {
  const { id } = useParams({ from: '/in/admin/nodes/$id' })
  return useQuery(q('GET /api/nodes/{id}', { params: { id } }))
}

/** The same inside the tabs, after the frame has loaded it. */
export function useNode(): Node {
  const { data } = useNodeQuery()
  if (!data) throw new Error('useNode is used outside of the frame of a node')
  return data
}
