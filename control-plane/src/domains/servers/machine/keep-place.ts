import type { VmSource } from '@lodge/shared/vms.ts'
import type { Ctx } from '../../../context.ts'
import { Problem } from '../../../problem.ts'
import { type Place, reserveNode, type Size } from '../../nodes/index.ts'
import { candidatesFor, takeNetwork } from './place.ts'
import { findParts, shapeOf } from './shape.ts'

/** A machine that is sold before it exists. */
interface Wanted extends Size {
  /** Its hardware profile. */
  readonly templateId: string
  readonly networkId: string | undefined
  readonly source: VmSource
  readonly vcpus: number
}

/**
 * Reserves a machine's capacity on a node that could run it now, and chooses a network with an
 * address that is neither leased nor reserved for another order.
 * @throws {Problem} no_capacity, worded for a customer; validation_failed
 */
export async function keepMachinePlace(
  ctx: Ctx,
  { templateId, networkId, source, vcpus, ...size }: Wanted,
  at: Pick<Place, 'location' | 'locations' | 'among'>,
): Promise<{ nodeId: string; networkId: string }> {
  const vm = { networkId, source, vcpus, extraDisks: [], guestPort: 22 }
  const parts = await findParts(ctx.db, { templateId, vm }, false)
  shapeOf({ name: '', ownerId: '', templateId, ...size }, vm, parts)
  try {
    const { nodes, networks } = await candidatesFor(
      ctx.db,
      { location: at.location, ...(at.among && { among: at.among }) },
      { parts, networkId },
      false,
    )
    const among = nodes.map(({ id }) => id)
    const place = await reserveNode(ctx.db, { ...at, workload: 'machine', among }, size)
    const { network } = await takeNetwork(ctx, place.nodeId, nodes, networks)
    return { nodeId: place.nodeId, networkId: network.id }
  } catch (error) {
    if (error instanceof Problem && error.code === 'no_capacity')
      throw new Problem('no_capacity', NO_PLACE)
    throw error
  }
}

const NO_PLACE =
  'No node has room for this virtual machine now: choose another plan or location, or ask your host'
