import type { AdminPermission } from '@lodge/shared/permissions.ts'
import { type QueryClient, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, type Reply, viewOnly } from '../api.ts'
import { paths } from '../paths.ts'
import { q } from '../query.ts'
import { writeTimestampsAs } from '../ui/locale/timestamps.ts'
import { forgetAccountLanguage } from './language.ts'
import { forgetVisits } from './recent-visits.ts'
import { t } from './words.ts'

export type Me = Reply<'GET /api/auth/me'>

export const meQuery = { ...q('GET /api/auth/me'), staleTime: 60_000 }

/** The signed-in person; only for use below the shell, where they are loaded. */
export function useMe(): Me {
  const { data } = useQuery(meQuery)
  if (!data) throw new Error('useMe is used outside of the signed-in part of the panel')
  writeTimestampsAs({ ...data, clock: data.preferences.clock })
  viewOnly(data.viewing !== null)
  return data
}

/** Whether an administrator views as a customer. */
export const useViewing = (): boolean => useMe().viewing !== null

/** What decides a person's rights. */
export type Actor = Pick<Me, 'id' | 'role' | 'superAdmin' | 'permissions'>

/** Whether this person is an administrator with this permission. */
export const mayDo = (me: Actor, permission: AdminPermission): boolean =>
  me.role === 'admin' && (me.superAdmin || me.permissions.includes(permission))

/** Whether the signed-in person is an administrator with this permission. */
export function useMay(): (permission: AdminPermission) => boolean {
  const me = useMe()
  return (permission) => mayDo(me, permission)
}

/** The signed-in person's rights, as the same object until they change. */
export function useActor(): Actor {
  const { id, role, superAdmin, permissions } = useMe()
  return useMemo(() => ({ id, role, superAdmin, permissions }), [id, role, superAdmin, permissions])
}

/** The same outside of components, from the cached account. */
export function mayIn(client: QueryClient, permission: AdminPermission): boolean {
  const me = client.getQueryData<Me>(meQuery.queryKey)
  return me !== undefined && mayDo(me, permission)
}

/** Why something needs a permission the person lacks, in words; undefined when they have it. */
export function useMissing(): (permission: AdminPermission) => string | undefined {
  const may = useMay()
  return (permission) => (may(permission) ? undefined : t.missingPermission({ permission }))
}

/** The signed-in person on a public page; null without a session, undefined while loading. */
export function useMaybeMe(): Me | null | undefined {
  const { data, error } = useQuery({ ...meQuery, retry: false })
  return data ?? (error ? null : undefined)
}

/**
 * Ends the session. Never resolves: the sign-in page replaces this one with all that it has loaded, and
 * until then nothing may render as if somebody without a name were signed in.
 */
export function useSignOut(): () => Promise<never> {
  return async () => {
    // The browser's next user must not see this person's notifications. Waits a few seconds at most.
    await Promise.race([withoutPush().catch(() => undefined), passed(MOST_WAIT_MS)])
    await api('POST /api/auth/logout')
    forgetVisits()
    forgetAccountLanguage()
    location.assign(paths.signIn)
    return new Promise<never>(() => undefined)
  }
}

async function withoutPush(): Promise<void> {
  const worker = await navigator.serviceWorker?.getRegistration()
  if (!worker) return
  try {
    await (await import('./push-subscription.ts')).forgetThisBrowser()
  } finally {
    await worker.unregister()
  }
}

const MOST_WAIT_MS = 5_000
const passed = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Where to go after sign-in: only paths inside this panel. */
export function safeNext(next: string | undefined): string {
  if (next === undefined || !next.startsWith('/')) return '/'
  const url = new URL(next, 'http://here.invalid')
  return url.host === 'here.invalid' ? url.pathname + url.search : '/'
}
