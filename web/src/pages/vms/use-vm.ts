import type { Ability } from '@lodge/shared/node-abilities.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { Reply } from '../../api.ts'
import { why } from '../../panel/said.ts'
import { q } from '../../query.ts'
import { type Asking, type RightOf, useLacking, useUnsupported } from '../servers/one/use-rights.ts'
import { useServer } from '../servers/one/use-server.ts'
import { t } from './words.ts'

export type Vm = Reply<'GET /api/servers/{id}/vm'>

/**
 * The machine of this page; fetched again when its server changes, because that affects what can be
 * changed now.
 */
export function useVm() {
  const server = useServer()
  const vm = useQuery({
    ...q('GET /api/servers/{id}/vm', { params: { id: server.id } }),
    refetchInterval: 10_000,
  })
  const { refetch } = vm
  const lastRevision = useRef(server.revision)
  useEffect(() => {
    // A desired state and its completion each increment the server's revision.
    if (lastRevision.current === server.revision) return
    lastRevision.current = server.revision
    void refetch()
  }, [server.revision, refetch])
  return vm
}

/** Call after a change of the machine: fetches everything that shows it again. */
export function useVmChanged(): () => void {
  const client = useQueryClient()
  return () => {
    for (const key of ['GET /api/servers/{id}/vm', 'GET /api/servers/{id}', 'GET /api/jobs'])
      void client.invalidateQueries({ queryKey: [key] })
  }
}

/** @param abilities what the change needs of the node */
type WhyNotChange = <K extends Asking>(
  endpoint: K,
  right: RightOf<K>,
  ...abilities: readonly Ability[]
) => string | undefined

/**
 * Why the machine cannot be changed now: a missing permission, the node cannot do it, or it is
 * running; undefined when it can.
 */
export function useWhyNotChange(vm: Vm | undefined): WhyNotChange {
  const server = useServer()
  const lacking = useLacking(server.id)
  const unsupported = useUnsupported(server.id)
  return (endpoint, right, ...abilities) =>
    lacking(endpoint, right) ??
    abilities.map(unsupported).find((why) => why !== undefined) ??
    (vm === undefined || vm.changeable.now ? undefined : (why(vm.changeable.why) ?? t.notNow))
}
