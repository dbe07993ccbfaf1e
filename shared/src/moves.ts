import { z } from 'zod'

/** API schemas of moving servers to another node. */

export const MoveServer = z.strictObject({
  nodeId: z
    .uuid()
    .describe('its present node, with another storageId, changes the storage in place'),
  networkId: z
    .uuid()
    .optional()
    .describe('of a virtual machine: its network there; the present one by default'),
  storageId: z
    .uuid()
    .nullable()
    .optional()
    .describe(
      'for the host: a shared storage of that node, on which its files or disks lie from then on; null: the disk of that node; absent: as now',
    ),
  confirmNetworkChange: z.boolean().optional(),
  stop: z
    .boolean()
    .optional()
    .describe('of a running virtual machine: stop it for the move, and start it again afterwards'),
  confirmBackupsLeft: z
    .boolean()
    .optional()
    .describe(
      'accept that backups which only the present node keeps cannot be restored afterwards',
    ),
  force: z.boolean().optional(),
})
export type MoveServer = z.infer<typeof MoveServer>

/** What was written since is missing in the copy, and is kept for 7 days where it is. */
export const TakeCopy = z.strictObject({
  storageId: z
    .uuid()
    .nullable()
    .describe(
      'where its node has the copy (`copyOf` of the migration targets); null: the disk of the node',
    ),
  stop: z
    .boolean()
    .optional()
    .describe('of a running virtual machine: stop it, and start it again from the copy'),
  confirm: z.boolean().optional().describe('accept that what was written since is missing in it'),
})
export type TakeCopy = z.infer<typeof TakeCopy>

/** For the host: where a server lies on its node, and where else it could; the disk of the node has no id. */
export const PlacesHere = z.object({
  present: z.object({ id: z.uuid().nullable(), name: z.string().nullable() }),
  storages: z.array(
    z.object({
      id: z.uuid().nullable(),
      name: z.string().nullable(),
      /** Why it could not lie there now, in words. */
      why: z.string().nullable(),
      /** Its node still has a copy of it there, which can be taken; when it was last the server. */
      copyOf: z.iso.datetime().nullable(),
    }),
  ),
})

export const MoveTargets = z.object({
  items: z.array(
    z.object({
      nodeId: z.uuid(),
      nodeName: z.string(),
      location: z.string(),
      possible: z.boolean(),
      /** Why it is not possible, in words. */
      why: z.string().nullable(),
      /** For the host: where else its files could lie there; the disk of the node has no id. */
      storages: z.array(
        z.object({
          id: z.uuid().nullable(),
          name: z.string().nullable(),
          /** Why they could not lie there now, in words. */
          why: z.string().nullable(),
        }),
      ),
    }),
  ),
  here: PlacesHere,
  /** Why the server cannot move now, whatever the node; null if it can. */
  why: z.string().nullable(),
  /** What would be copied, as far as known. */
  bytes: z.int().nullable(),
  /** Estimates, for what is known of its size; while it is off, only changes are copied. */
  estimate: z.object({ copySeconds: z.int(), offSeconds: z.int() }).nullable(),
  /** The same for a move on which its storage changes, so that its files are copied. */
  changeEstimate: z.object({ copySeconds: z.int(), offSeconds: z.int() }).nullable(),
  /** Backups that only the present node keeps. */
  backupsLeft: z.int(),
})
export type MoveTargets = z.infer<typeof MoveTargets>
