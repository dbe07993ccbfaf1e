import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api, type Reply } from '../api.ts'
import { paths } from '../paths.ts'
import { q } from '../query.ts'
import { writeTimestampsAs } from '../ui/data/timestamps.ts'

export type Me = Reply<'GET /api/auth/me'>

export const meQuery = { ...q('GET /api/auth/me'), staleTime: 60_000 }

/** The signed-in person; only used below the shell, where it is known. */
export function useMe(): Me {
  const { data } = useQuery(meQuery)
  if (!data) throw new Error('useMe is used outside of the signed-in part of the panel')
  writeTimestampsAs(data)
  return data
}

/** Whether the signed-in person is an administrator who holds this permission. */
export function useMay(): (permission: AdminPermission) => boolean {
  const me = useMe()
  return (permission) =>
    me.role === 'admin' && (me.superAdmin || me.permissions.includes(permission))
}

/** In words, why something is not possible without this permission; undefined when it is. */
export function useMissing(): (permission: AdminPermission) => string | undefined {
  const may = useMay()
  return (permission) => (may(permission) ? undefined : `You lack the permission ${permission}`)
}

/** The signed-in person on a page that is for others too; null for nobody, undefined until it is known. */
export function useMaybeMe(): Me | null | undefined {
  const { data, error } = useQuery({ ...meQuery, retry: false })
  return data ?? (error ? null : undefined)
}

/** Ends the session here and forgets everything that was loaded. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    await api('POST /api/auth/logout')
    client.clear()
    location.assign(paths.signIn)
  }
}

/** Where to go after sign-in: only addresses inside this panel. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !next.startsWith('/')) return '/'
  const url = new URL(next, 'http://here.invalid')
  return url.host === 'here.invalid' ? url.pathname + url.search : '/'
}
