import type { Players } from '@lodge/shared/players.ts'
import type { ChangeMark } from '@lodge/shared/server-labels.ts'
import type { MarkedServer, Server } from '@lodge/shared/servers.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { Key } from '../../api.ts'
import type { Sample } from '../../live/message.ts'
import { liveRows } from '../../live/rows.ts'
import { publishSample } from '../../live/samples.ts'

const SERVER = 'GET /api/servers/{id}' satisfies Key<'GET'>
const JOBS = 'GET /api/jobs' satisfies Key<'GET'>
export const serverRows = liveRows<MarkedServer>('GET /api/servers', SERVER)

/** Queries that a new revision may affect besides the row. */
const BESIDE = [
  'GET /api/servers/{id}/backups',
  'GET /api/servers/{id}/crash-policy',
  'GET /api/servers/{id}/events',
  'GET /api/servers/{id}/notes',
] as const satisfies readonly Key<'GET'>[]

/**
 * Caches a server if its revision is newer than the cached one, and refetches what else may have
 * changed. The message is the same for everybody, so personal marks stay unchanged.
 */
export function putServer(client: QueryClient, server: Server): void {
  const shown = client.getQueryData<Server>([SERVER, { params: { id: server.id } }])
  // Its open jobs now wait for the node, or no longer do.
  if (shown && shown.nodeOnline !== server.nodeOnline)
    void client.invalidateQueries({ queryKey: [JOBS] })
  serverRows.put(client, { folder: null, favourite: false, ...server }, (old) =>
    server.revision > old.revision ? { ...old, ...server } : old,
  )
  const given = { params: { id: server.id } }
  for (const key of BESIDE) void client.invalidateQueries({ queryKey: [key, given] })
}

/** Applies what the person has changed of a mark, here or in another window. */
export function applyMark(
  client: QueryClient,
  { serverId, ...mark }: ChangeMark & { readonly serverId: string },
): void {
  serverRows.change(client, serverId, (old) => ({ ...old, ...mark }))
}

/** Applies a sample to its server's row and charts. */
export function applySample(client: QueryClient, sample: Sample): void {
  serverRows.change(client, sample.serverId, (old) => ({
    ...old,
    usage: {
      at: sample.at,
      cpuPercent: sample.cpuPercent,
      memoryBytes: sample.memoryBytes,
      memoryOfNode: sample.memoryOfNode ?? false,
      diskBytes: sample.diskBytes ?? old.usage?.diskBytes ?? null,
      networkRxBytesPerSecond: sample.networkRxBytesPerSecond ?? 0,
      networkTxBytesPerSecond: sample.networkTxBytesPerSecond ?? 0,
    },
  }))
  refreshPlayers(client, sample)
  publishSample(sample)
}

const PLAYERS = 'GET /api/servers/{id}/players' satisfies Key<'GET'>

/** Fetches the players again when the server has reported new ones. */
function refreshPlayers(client: QueryClient, { serverId, playersAt }: Sample): void {
  const queryKey = [PLAYERS, { params: { id: serverId } }]
  const known = client.getQueryData<Players>(queryKey)
  if (known && playersAt && known.at !== playersAt) void client.invalidateQueries({ queryKey })
}

/** A new notification may be about an invitation to a server. */
export function refreshInvitations(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: ['GET /api/invitations' satisfies Key<'GET'>] })
}

/** A backup of this server began, ended or changed. */
export function refreshBackups(
  client: QueryClient,
  { serverId }: { readonly serverId: string },
): void {
  const key = 'GET /api/servers/{id}/backups' satisfies Key<'GET'>
  void client.invalidateQueries({ queryKey: [key, { params: { id: serverId } }] })
}
