import type { Db } from '../../db/database.ts'
import { Problem } from '../../problem.ts'
import type { Quota } from '../limits/index.ts'
import {
  listLocations,
  type Place,
  type ReservedNode,
  reserveNode,
  type Size,
} from '../nodes/index.ts'
import { PORTS_OF_RESERVED_NODE } from './ports-store.ts'

/**
 * Takes room for a new server. Where nobody names a place, the owner's limits choose among the
 * locations: first those that they leave, and only those where any other would be refused.
 */
export async function reservePlace(
  db: Db,
  quota: Quota,
  place: Place,
  size: Size,
  force: boolean | undefined,
): Promise<ReservedNode> {
  const isNamed = place.nodeId !== undefined || place.location !== undefined
  const listed = isNamed ? undefined : quota.listed('allowedLocations', { force })
  const theirs = listed
    ? (await listLocations(db)).filter((one) => listed.values.includes(one))
    : []
  // Who may use none of the locations that there are is told so by the limits.
  if (!listed || theirs.length === 0) return reserveNode(db, place, size, PORTS_OF_RESERVED_NODE)
  try {
    return await reserveNode(db, { ...place, locations: theirs }, size, PORTS_OF_RESERVED_NODE)
  } catch (error) {
    if (listed.binds || !(error instanceof Problem)) throw error
    return reserveNode(db, place, size, PORTS_OF_RESERVED_NODE)
  }
}
