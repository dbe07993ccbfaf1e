import { z } from 'zod'
import { serverName } from './servers.ts'

/** What a clone is made of. */
export const CloneServer = z.strictObject({
  name: serverName,
  includeData: z
    .boolean()
    .optional()
    .describe('also the files that the server has now; they are backed up for this'),
  backupId: z.uuid().optional().describe('the files of this backup of the server instead'),
  ownerId: z.uuid().optional().describe("the server's owner by default"),
  nodeId: z.uuid().optional(),
  location: z.string().trim().min(1).max(64).optional(),
  storageId: z
    .uuid()
    .nullable()
    .optional()
    .describe(
      'a shared storage for its files or disks; null: the disk of its node; absent: as those of the original',
    ),
  force: z.boolean().optional(),
})
export type CloneServer = z.infer<typeof CloneServer>
