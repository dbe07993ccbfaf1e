import type { Server } from '@lodge/shared/servers.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { type Cell, csvLine } from '../../http/csv.ts'
import { listServers, type ServersWanted } from './list.ts'

const COLUMNS: readonly (readonly [head: string, cell: (server: Server) => Cell])[] = [
  ['id', ({ id }) => id],
  ['name', ({ name }) => name],
  ['kind', ({ kind }) => kind],
  ['status', ({ status }) => status],
  ['owner', ({ ownerEmail }) => ownerEmail],
  ['template', ({ templateName }) => templateName],
  ['node', ({ nodeName }) => nodeName],
  ['location', ({ location }) => location],
  ['address', ({ address }) => address],
  ['port', ({ port }) => port],
  ['cpu_percent', ({ usage }) => usage?.cpuPercent ?? null],
  ['cpu_limit_percent', ({ cpuPercent }) => cpuPercent],
  ['memory_bytes', ({ usage }) => usage?.memoryBytes ?? null],
  ['memory_limit_mib', ({ memoryMb }) => memoryMb],
  ['disk_bytes', ({ usage }) => usage?.diskBytes ?? null],
  ['disk_limit_mib', ({ diskMb }) => diskMb],
  ['created_at', ({ createdAt }) => createdAt],
]

const AT_ONCE = 500

/** All servers of a filter as CSV, read page by page while it is sent. */
export async function* serversAsCsv(
  ctx: Ctx<User>,
  wanted: z.output<typeof ServersWanted>,
): AsyncGenerator<string> {
  yield csvLine(COLUMNS.map(([head]) => head))
  let after: string | undefined
  do {
    const page = await listServers(ctx, { ...wanted, after, limit: AT_ONCE })
    yield page.items.map((server) => csvLine(COLUMNS.map(([, cell]) => cell(server)))).join('')
    after = page.nextCursor ?? undefined
  } while (after !== undefined)
}
