import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'

/** What the signed-in person may do on a server; undefined while it is not known. */
export function useRights(id: string) {
  return useQuery({ ...q('GET /api/servers/{id}/rights', { params: { id } }), staleTime: 60_000 })
    .data
}

/** In words, why something is not possible without this right; undefined when it is, or is not known yet. */
export function useLacking(id: string): (permission: ServerPermission) => string | undefined {
  const rights = useRights(id)
  return (permission) =>
    rights === undefined || rights.permissions.includes(permission)
      ? undefined
      : rights.role === 'host'
        ? `Your role does not include this (${permission})`
        : `The owner has not allowed you this (${permission})`
}
