import type { ServerRow } from './tables.ts'

/** Job fields that refer to a server. */
export const aboutServer = (row: Pick<ServerRow, 'id' | 'nodeId' | 'ownerId'>, title: string) => ({
  title,
  serverId: row.id,
  nodeId: row.nodeId,
  ownerId: row.ownerId,
})
