import type { ServerObserved } from '@lodge/proto/server.ts'

/** A server that the database has on the node. */
export interface KnownServer {
  readonly id: string
  readonly generation: number
  /** The node has been told to remove it, so it may be gone. */
  readonly isDeleting: boolean
}

/** What a node has of a server that the database does not know. */
export interface Finding {
  readonly serverId: string
  readonly kind: 'newer' | 'missing' | 'unknown'
  readonly generation: number
  readonly run: number
  readonly installed: number
  readonly state: string
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
/** Maximum of the columns, because agents are not trusted. */
const LARGEST_INT = 2_147_483_647

/** The finding for an observation. */
export const findingOf = (kind: Finding['kind'], one: ServerObserved): Finding => ({
  serverId: one.serverId,
  kind,
  generation: Math.min(one.generation, Number.MAX_SAFE_INTEGER - LARGEST_INT),
  run: Math.min(one.run, LARGEST_INT - 1),
  installed: Math.min(one.installed, LARGEST_INT - 1),
  state: one.state,
})

/**
 * Finds where the inventory of a node contradicts a database that was set back: servers for which the
 * node got something newer, servers that it does not have, and servers that it was told to run
 * although the database does not have them there. A server that is no longer desired has no
 * generation; the node has stopped it already.
 */
export function compareInventory(
  known: readonly KnownServer[],
  seen: readonly ServerObserved[],
): Finding[] {
  const has = new Map(seen.map((one) => [one.serverId, one]))
  const ids = new Set(known.map(({ id }) => id))
  const ofKnown = known.flatMap(({ id, generation, isDeleting }): Finding[] => {
    const one = has.get(id)
    if (!one) return isDeleting ? [] : [{ serverId: id, kind: 'missing', ...NOTHING }]
    return one.generation > generation ? [findingOf('newer', one)] : []
  })
  const unknown = seen.filter(
    (one) =>
      !ids.has(one.serverId) &&
      UUID.test(one.serverId) &&
      one.generation > 0 &&
      one.state !== 'absent',
  )
  return [...ofKnown, ...unknown.map((one) => findingOf('unknown', one))]
}

const NOTHING = { generation: 0, run: 0, installed: 0, state: 'absent' }
