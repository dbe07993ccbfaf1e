import type { JobTitle } from '@lodge/shared/job-words.ts'
import type { ServerRow } from './tables.ts'

/** Job fields that refer to a server. */
export const aboutServer = (
  row: Pick<ServerRow, 'id' | 'nodeId' | 'ownerId'>,
  title: JobTitle,
) => ({
  title,
  serverId: row.id,
  nodeId: row.nodeId,
  ownerId: row.ownerId,
})
