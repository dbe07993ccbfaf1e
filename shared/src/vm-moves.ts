import { z } from 'zod'
import { PlacesHere } from './moves.ts'

/** API schemas of moving a virtual machine to another node. */

export const MigrateVm = z.strictObject({
  nodeId: z.uuid(),
  networkId: z.uuid(),
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
    .describe('stop a running machine for the move, and start it again afterwards'),
  force: z.boolean().optional(),
})
export type MigrateVm = z.infer<typeof MigrateVm>

export const VmMigrationTargets = z.object({
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
      networks: z.array(
        z.object({
          id: z.uuid(),
          name: z.string(),
          /** The machine would get another address. */
          changesAddress: z.boolean(),
          why: z.string().nullable(),
        }),
      ),
    }),
  ),
  here: PlacesHere,
  /** What would be copied, as far as known. */
  bytes: z.int().nullable(),
})
export type VmMigrationTargets = z.infer<typeof VmMigrationTargets>
