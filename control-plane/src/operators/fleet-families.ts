import type { JobState } from '@lodge/shared/jobs.ts'
import { sql } from 'drizzle-orm'
import type { Db } from '../db/database.ts'
import { isOnline } from '../domains/nodes/index.ts'
import {
  countServers,
  type FleetNode,
  listFleetNodes,
  lowestJobId,
  type ServerCount,
} from '../domains/overview/index.ts'
import type { DurationSeries } from '../jobs/durations.ts'
import type { Services } from '../services.ts'
import { type Family, type Labels, series } from './render.ts'

interface JobCount {
  kind: string
  state: JobState
  count: number
}

/** The database's view of the fleet, the same on every instance. */
export interface Snapshot {
  readonly nodes: readonly FleetNode[]
  readonly servers: readonly ServerCount[]
  readonly jobs: readonly JobCount[]
  readonly blobs: { readonly count: number; readonly bytes: number }
}

const KEEP_MS = 5000
const DAY_MS = 86_400_000

/**
 * Reads the snapshot at most every five seconds, however often it is requested; undefined while the
 * database is down.
 */
export function snapshots(): (
  services: Pick<Services, 'db' | 'log' | 'blobs'>,
) => Promise<Snapshot | undefined> {
  let newest: { at: number; snapshot: Promise<Snapshot | undefined> } | undefined
  return ({ db, log, blobs }) => {
    if (newest && Date.now() - newest.at < KEEP_MS) return newest.snapshot
    const snapshot = readSnapshot(db, blobs).catch((error: unknown) => {
      log.warn({ err: error }, 'could not read the fleet metrics')
      return undefined
    })
    newest = { at: Date.now(), snapshot }
    return snapshot
  }
}

async function readSnapshot(db: Db, blobs: Services['blobs']): Promise<Snapshot> {
  const nodes = await listFleetNodes(db)
  const servers = await countServers(db, nodes)
  const { rows: jobs } = await db.execute<JobCount & Record<string, unknown>>(sql`
    select kind, state, count(*) as count from (
      select kind, state from jobs where ended_at is null
      union all
      select kind, state from jobs where ended_at is not null and id > ${lowestJobId(Date.now() - DAY_MS)}::uuid
    ) recent group by kind, state order by kind, state`)
  return { nodes, servers, jobs, blobs: await blobs.figures() }
}

const gauge = (
  name: string,
  help: string,
  values: Iterable<readonly [Labels, number]>,
): Family => ({
  name,
  help,
  type: 'gauge',
  lines: map(values, ([labels, value]) => series(name, labels, value)),
})

function* map<A, B>(items: Iterable<A>, turn: (item: A) => B): Generator<B> {
  for (const item of items) yield turn(item)
}

const counter = (name: string, help: string, value: number): Family => ({
  name,
  help,
  type: 'counter',
  lines: [series(name, {}, value)],
})

/** Open resources of this instance. */
export function instanceFamilies(
  { fleet, live, jobs }: Pick<Services, 'fleet' | 'live' | 'jobs'>,
  databaseUp: boolean,
): Family[] {
  const figures = fleet.metrics()
  const consoles = new Map([
    ['console', 0],
    ['install_log', 0],
  ])
  for (const { kind } of fleet.openRelays()) consoles.set(kind, (consoles.get(kind) ?? 0) + 1)
  return [
    gauge('lodge_database_up', 'Whether the database answered for this page.', [
      [{}, databaseUp ? 1 : 0],
    ]),
    gauge('lodge_sse_clients', 'Open panels that are told of changes.', [[{}, live.viewers]]),
    gauge(
      'lodge_console_sessions',
      'Open consoles by kind.',
      map(consoles, ([kind, count]) => [{ kind }, count]),
    ),
    gauge('lodge_agent_streams', 'Agents that are connected to this instance.', [
      [{}, figures.connectedNodes],
    ]),
    counter(
      'lodge_agent_streams_opened_total',
      'Streams that agents have opened, reconnects included.',
      figures.sessionsOpened,
    ),
    counter(
      'lodge_agent_streams_refused_total',
      'Streams of agents that were refused.',
      figures.sessionsRefused,
    ),
    counter(
      'lodge_agent_streams_fenced_total',
      'Streams that ended because a newer one took over.',
      figures.sessionsFenced,
    ),
    {
      name: 'lodge_node_streams_opened_total',
      help: 'Streams that the agent of a node has opened to this instance: one more with each reconnect.',
      type: 'counter',
      lines: map(figures.openedByNode, ([node, opened]) =>
        series('lodge_node_streams_opened_total', { node }, opened),
      ),
    },
    {
      name: DURATION,
      help: 'Time from when a job was asked for until it ended on this instance.',
      type: 'histogram',
      lines: durationLines(jobs.durations.all()),
    },
    counter('lodge_agent_messages_total', 'Messages heard from agents.', figures.messagesHeard),
    counter(
      'lodge_relays_opened_total',
      'Byte streams joined between browsers and nodes.',
      figures.relaysOpened,
    ),
    counter('lodge_relays_refused_total', 'Byte streams that were refused.', figures.relaysRefused),
  ]
}

const DURATION = 'lodge_job_duration_seconds'

function* durationLines(all: readonly DurationSeries[]): Generator<string> {
  for (const { kind, state, within, count, sumSeconds } of all) {
    for (const [bound, below] of within)
      yield series(`${DURATION}_bucket`, { kind, state, le: String(bound) }, below)
    yield series(`${DURATION}_bucket`, { kind, state, le: '+Inf' }, count)
    yield series(`${DURATION}_sum`, { kind, state }, sumSeconds)
    yield series(`${DURATION}_count`, { kind, state }, count)
  }
}

const MIB = 1_048_576

/**
 * The database's view of the fleet. Nodes are labelled by id: names change and may reveal more than
 * they should.
 */
export function fleetFamilies({ nodes, servers, jobs, blobs }: Snapshot): Family[] {
  const joined = nodes.filter((node) => node.enrolled)
  const measured = joined.flatMap(({ id, usage }) => (usage ? [{ id, usage }] : []))
  const perNode = (name: string, help: string, value: (node: FleetNode) => number): Family =>
    gauge(
      name,
      help,
      map(joined, (node) => [{ node: node.id }, value(node)]),
    )
  const perUsage = (
    name: string,
    help: string,
    value: (usage: NonNullable<FleetNode['usage']>) => number,
  ): Family =>
    gauge(
      name,
      help,
      map(measured, ({ id, usage }) => [{ node: id }, value(usage)]),
    )
  return [
    gauge('lodge_blobs', 'Large files that are kept.', [[{}, blobs.count]]),
    gauge('lodge_blob_bytes', 'What large files take.', [[{}, blobs.bytes]]),
    gauge(
      'lodge_jobs',
      'Jobs by kind and state: all that are open and those made within a day that have ended.',
      map(jobs, ({ kind, state, count }) => [{ kind, state }, count]),
    ),
    gauge(
      'lodge_servers',
      'Servers by node and by the state that a person sees.',
      map(servers, ({ nodeId, kind, status, count }) => [
        { node: nodeId, state: status, kind },
        count,
      ]),
    ),
    gauge(
      'lodge_node_info',
      'Location of each node; always 1.',
      map(joined, (node) => [{ node: node.id, location: node.location }, 1]),
    ),
    perNode('lodge_node_up', 'Whether the agent of the node is connected.', (node) =>
      isOnline(node) ? 1 : 0,
    ),
    perNode('lodge_node_cordoned', 'Whether the node takes no new servers.', (node) =>
      node.cordoned ? 1 : 0,
    ),
    gauge(
      'lodge_node_heartbeat_timestamp_seconds',
      'When the node was heard last.',
      map(
        joined.filter((node) => node.lastSeenAt),
        (node) => [{ node: node.id }, (node.lastSeenAt?.getTime() ?? 0) / 1000],
      ),
    ),
    perNode(
      'lodge_node_memory_offered_bytes',
      'Memory that can be allocated to servers.',
      (node) => (node.memoryMb - node.headroomMb) * MIB,
    ),
    perNode(
      'lodge_node_memory_allocated_bytes',
      'Memory allocated to servers.',
      (node) => node.allocatedMemoryMb * MIB,
    ),
    perUsage(
      'lodge_node_memory_total_bytes',
      'Memory of the machine.',
      (usage) => usage.memoryTotalBytes,
    ),
    perUsage(
      'lodge_node_memory_used_bytes',
      'Memory in use on the machine.',
      (usage) => usage.memoryUsedBytes,
    ),
    perNode(
      'lodge_node_disk_offered_bytes',
      'Disk that can be allocated to servers.',
      (node) => node.diskMb * MIB,
    ),
    perNode(
      'lodge_node_disk_allocated_bytes',
      'Disk allocated to servers.',
      (node) => node.allocatedDiskMb * MIB,
    ),
    perUsage(
      'lodge_node_disk_total_bytes',
      'Disk of the machine.',
      (usage) => usage.diskTotalBytes,
    ),
    perUsage(
      'lodge_node_disk_used_bytes',
      'Disk in use on the machine.',
      (usage) => usage.diskUsedBytes,
    ),
    gauge(
      'lodge_node_cpu_cores',
      'Cores: of the machine, offered to servers, allocated to them, in use.',
      coresOf(joined),
    ),
  ]
}

function* coresOf(nodes: readonly FleetNode[]): Generator<readonly [Labels, number]> {
  for (const node of nodes) {
    yield [{ node: node.id, kind: 'offered' }, node.cpuPercent / 100]
    yield [{ node: node.id, kind: 'allocated' }, node.allocatedCpuPercent / 100]
    if (!node.usage) continue
    yield [{ node: node.id, kind: 'total' }, node.usage.cpuCores]
    yield [{ node: node.id, kind: 'used' }, node.usage.cpuPercent / 100]
  }
}
