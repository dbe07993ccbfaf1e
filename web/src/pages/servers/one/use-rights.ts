import type { Api } from '@lodge/control-plane/api'
import type { Ability } from '@lodge/shared/node-abilities.ts'
import { ACTION_RIGHTS, adminCounterpart } from '@lodge/shared/server-permission-list.ts'
import type { ServerPermission } from '@lodge/shared/server-permissions.ts'
import type { Server } from '@lodge/shared/servers.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../../query.ts'
import { type Actor, mayDo } from '../../../session/session.ts'
import { names } from './names.ts'

/** Endpoints that need a permission on a server. */
export type Asking = {
  [K in keyof Api]: Api[K]['may'] extends ServerPermission ? K : never
}[keyof Api]

/** The permission that an endpoint declares. */
export type RightOf<K extends Asking> = Extract<Api[K]['may'], ServerPermission>

/** The signed-in person's permissions on a server; undefined while loading. */
export function useRights(id: string, enabled = true) {
  const rights = q('GET /api/servers/{id}/rights', { params: { id } })
  return useQuery({ ...rights, staleTime: 60_000, enabled }).data
}

/**
 * Why this person may not use an endpoint, in words; undefined when they may or while loading. The
 * permission is the one that the endpoint declares: no other compiles.
 */
export type Lacking = <K extends Asking>(endpoint: K, right: RightOf<K>) => string | undefined

const byOwner = (right: ServerPermission) => names.notGivenByOwner({ right })
const byRole = (right: ServerPermission) => names.notInRole({ right })

function useWhyNot(id: string): (right: ServerPermission) => string | undefined {
  const rights = useRights(id)
  return (right) => {
    if (rights === undefined || rights.permissions.includes(right)) return undefined
    return rights.role === 'host' ? byRole(right) : byOwner(right)
  }
}

export const useLacking = (id: string): Lacking => {
  const why = useWhyNot(id)
  return (_endpoint, right) => why(right)
}

/**
 * Why the node of a server cannot do something, in words; undefined when it can or while loading.
 */
export function useUnsupported(id: string): (ability: Ability) => string | undefined {
  const rights = useRights(id)
  return (ability) => rights?.unsupported[ability]
}

/** The same for actions, whose permission depends on the action. */
export type LackingAction = (action: keyof typeof ACTION_RIGHTS) => string | undefined

export function useLackingAction(id: string): LackingAction {
  const why = useWhyNot(id)
  return (action) => why(ACTION_RIGHTS[action])
}

/**
 * The same for one row of a list, without a request; undefined for servers of others that are shared
 * with a customer, where only `useLackingAction` knows.
 */
export function lackingInList(
  me: Actor,
  { ownerId }: Pick<Server, 'ownerId'>,
): LackingAction | undefined {
  if (me.id === ownerId) return () => undefined
  if (me.role !== 'admin') return undefined
  return (action) => {
    const right = ACTION_RIGHTS[action]
    return mayDo(me, adminCounterpart(right)) ? undefined : byRole(right)
  }
}
