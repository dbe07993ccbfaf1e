import type { Db } from '../../../db/database.ts'
import { Problem } from '../../../problem.ts'
import type { Quota } from '../../limits/index.ts'
import {
  listLocations,
  type Place,
  type ReservedNode,
  reserveNode,
  type Size,
} from '../../nodes/index.ts'
import { PORTS_OF_RESERVED_NODE } from '../ports/ports-store.ts'

/**
 * Reserves capacity for a new server. If no node or location is named, the owner's limits decide on
 * the location: allowed ones first, and only those if the limit is enforced.
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
  // If none of the locations is allowed, the limits give the reason.
  if (!listed || theirs.length === 0) return reserveNode(db, place, size, PORTS_OF_RESERVED_NODE)
  try {
    return await reserveNode(db, { ...place, locations: theirs }, size, PORTS_OF_RESERVED_NODE)
  } catch (error) {
    if (listed.binds || !(error instanceof Problem)) throw error
    return reserveNode(db, place, size, PORTS_OF_RESERVED_NODE)
  }
}
