import { z } from 'zod'

/** What Ceph's `rbd` prints as JSON, as far as it is read. */

export const RbdImage = z.object({
  size: z.int(),
  parent: z.object({ image: z.string() }).optional(),
})

/** Snapshots of an image. In the trash are those that have clones, and go with them. */
export const RbdSnapshots = z.array(z.object({ namespace: z.object({ type: z.string() }) }))

export const RbdLocks = z.array(z.object({ id: z.string(), locker: z.string() }))

/** What `ceph df` says of pools, in bytes: what was stored, and what could still be. */
export const PoolRoom = z.object({
  pools: z.array(
    z.object({ name: z.string(), stats: z.object({ stored: z.number(), max_avail: z.number() }) }),
  ),
})
