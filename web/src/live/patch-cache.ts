import type { Job } from '@lodge/shared/jobs.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import type { Server } from '@lodge/shared/servers.ts'
import type { QueryClient } from '@tanstack/react-query'
import type { Key } from '../api.ts'
import type { LiveMessage, Sample } from './message.ts'

/** Lists whose rows carry an id, and the endpoint of one row. */
const LISTS = {
  server: ['GET /api/servers', 'GET /api/servers/{id}'],
  node: ['GET /api/nodes', 'GET /api/nodes/{id}'],
  job: ['GET /api/jobs', 'GET /api/jobs/{id}'],
  template: ['GET /api/templates', 'GET /api/templates/{id}'],
  customer: ['GET /api/customers', 'GET /api/customers/{id}'],
} as const satisfies Record<string, readonly [Key<'GET'>, Key<'GET'>]>
/** What a new notice may tell of: the inbox itself, and invitations. */
const NOTICED = [
  'GET /api/notifications',
  'GET /api/notifications/summary',
  'GET /api/invitations',
] as const satisfies readonly Key<'GET'>[]
type Kind = keyof typeof LISTS

interface Row {
  readonly id: string
}
interface List<T extends Row> {
  readonly items: readonly T[]
  readonly nextCursor?: string | null
}

const isKind = (kind: string): kind is Kind => kind in LISTS

/** Replaces one row wherever it is cached; true when any list already had it. */
function replace<T extends Row>(
  client: QueryClient,
  kind: Kind,
  id: string,
  next: (old: T) => T,
): boolean {
  const [list, one] = LISTS[kind]
  client.setQueryData<T>([one, { params: { id } }], (old) => (old ? next(old) : old))
  let known = false
  client.setQueriesData<List<T>>({ queryKey: [list] }, (old) => {
    if (!old?.items.some((row) => row.id === id)) return old
    known = true
    return { ...old, items: old.items.map((row) => (row.id === id ? next(row) : row)) }
  })
  return known
}

/** A row that no list knows belongs into those that show everything, so those are fetched again. */
function fetchCompleteLists(client: QueryClient, kind: Kind): void {
  void client.invalidateQueries({
    queryKey: [LISTS[kind][0]],
    predicate: (query) => {
      const data = query.state.data as List<Row> | undefined
      return data !== undefined && (data.nextCursor === null || data.nextCursor === undefined)
    },
  })
}

function applyServer(client: QueryClient, server: Server): void {
  const newer = (old: Server): Server => (server.revision > old.revision ? server : old)
  if (!replace<Server>(client, 'server', server.id, newer)) fetchCompleteLists(client, 'server')
}

function applySample(client: QueryClient, sample: Sample): void {
  replace<Server>(client, 'server', sample.serverId, (old) => ({
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
}

function applyRemoved(client: QueryClient, kind: string, id: string): void {
  if (!isKind(kind)) return
  client.setQueriesData<List<Row>>({ queryKey: [LISTS[kind][0]] }, (old) =>
    old ? { ...old, items: old.items.filter((row) => row.id !== id) } : old,
  )
}

/** Brings one message of the event stream into the query cache. */
export function patchCache(client: QueryClient, message: LiveMessage): void {
  switch (message.type) {
    case 'server':
      applyServer(client, message.data)
      return
    case 'job':
      if (!replace<Job>(client, 'job', message.data.id, () => message.data))
        fetchCompleteLists(client, 'job')
      return
    case 'node':
      if (!replace<Node>(client, 'node', message.data.id, () => message.data))
        fetchCompleteLists(client, 'node')
      return
    case 'nodeUsage': {
      const { nodeId, usage } = message.data
      replace<Node>(client, 'node', nodeId, (old) => ({ ...old, usage }))
      return
    }
    case 'sample':
      applySample(client, message.data)
      return
    case 'notification':
      for (const key of NOTICED) void client.invalidateQueries({ queryKey: [key] })
      return
    case 'inbox':
      client.setQueryData(['GET /api/notifications/summary'], message.data)
      void client.invalidateQueries({ queryKey: ['GET /api/notifications'] })
      return
    case 'removed':
      applyRemoved(client, message.data.kind, message.data.id)
      return
    case 'reset':
      void client.invalidateQueries()
  }
}
