import type { ServerRow } from './tables.ts'

/** What a job of a server is about. */
export const aboutServer = (row: Pick<ServerRow, 'id' | 'nodeId' | 'ownerId'>, title: string) => ({
  title,
  serverId: row.id,
  nodeId: row.nodeId,
  ownerId: row.ownerId,
})
