import { eq, sql } from 'drizzle-orm'
import { defineCap } from '../../../db/cap.ts'
import { serverPorts } from '../tables.ts'

export const portCap = defineCap({
  name: 'ports of a server',
  most: 100,
  present: (serverId) =>
    sql`select from ${serverPorts} where ${eq(serverPorts.serverId, serverId)}`,
  refusal: 'A server has at most 100 ports: remove one first',
})
