import type { CsvColumns } from '@lodge/shared/csv.ts'
import type { Server } from '@lodge/shared/servers.ts'
import type { z } from 'zod'
import type { User } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { CSV_PAGE, pagesAsCsv } from '../../http/csv.ts'
import { listServers, type ServersWanted } from './list.ts'

const COLUMNS: CsvColumns<Server> = [
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

/** All servers of a filter as CSV. */
export const serversAsCsv = (
  ctx: Ctx<User>,
  wanted: z.output<typeof ServersWanted>,
): AsyncGenerator<string> =>
  pagesAsCsv(COLUMNS, (after) => listServers(ctx, { ...wanted, after, limit: CSV_PAGE }))
