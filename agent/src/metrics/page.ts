import http from 'node:http'
import type { ServerEvent } from '@lodge/proto/server.ts'
import { isMachine, type WorkloadSpec } from '@lodge/shared/machine-spec.ts'
import { OBSERVED_STATES } from '@lodge/shared/server-status.ts'
import { Counter, Gauge, Registry } from 'prom-client'
import type { ServerReconciler } from '../reconcile/server-reconciler.ts'
import { observedState } from '../reconcile/state/observe.ts'
import { AGENT_VERSION } from '../version.ts'
import type { Sampler } from './sampler.ts'

/** The kinds of server by their names outside the agent. */
const KINDS = { container: 'container', machine: 'vm' } as const

export interface PageOptions {
  /** `host:port`. */
  readonly address: string
  /** Whether to add one set of series per server. */
  readonly servers: boolean
  readonly nodeId: string
  readonly sampler: Pick<Sampler, 'latest'>
  readonly reconcilers: () => Iterable<ServerReconciler>
  readonly isConnected: () => boolean
  readonly heardMs: () => number
}

export interface MetricsPage {
  readonly port: number
  /** Counts the events that have a counter of their own. */
  count(event: Pick<ServerEvent, 'serverId' | 'kind'>): void
  close(): Promise<void>
}

/** Serves the agent's metrics to Prometheus at `/metrics`. */
export async function openMetricsPage(options: PageOptions): Promise<MetricsPage> {
  const registry = new Registry()
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  const info = gauge('lodge_build_info', 'Version of the agent.', ['version'])
  info.set({ version: AGENT_VERSION }, 1)
  const up = gauge('lodge_node_up', 'Whether the agent is connected to the control plane.')
  const memory = {
    total: gauge('lodge_node_memory_total_bytes', 'Memory of the machine.'),
    used: gauge('lodge_node_memory_used_bytes', 'Memory in use on the machine.'),
    allocated: gauge('lodge_node_memory_allocated_bytes', 'Memory allocated to the servers.'),
  }
  const disk = {
    total: gauge('lodge_node_disk_total_bytes', 'Size of the disk with the data folder.'),
    used: gauge('lodge_node_disk_used_bytes', 'Disk space in use.'),
    allocated: gauge('lodge_node_disk_allocated_bytes', 'Disk space allocated to the servers.'),
  }
  const cores = gauge(
    'lodge_node_cpu_cores',
    'Processor cores by kind: total, used or allocated.',
    ['kind'],
  )
  const beat = gauge(
    'lodge_node_heartbeat_timestamp_seconds',
    'When the control plane last answered a heartbeat.',
  )
  const servers = gauge('lodge_servers', 'Servers by state.', ['node', 'state', 'kind'])
  const perServer = options.servers ? serverSeries(registry) : null

  const collect = () => {
    up.set(options.isConnected() ? 1 : 0)
    beat.set(options.heardMs() / 1000)
    const { latest } = options.sampler
    const reconcilers = [...options.reconcilers()]
    const limits = reconcilers.flatMap(({ desired }) =>
      desired?.spec && !desired.removed ? [allocatedTo(desired.spec)] : [],
    )
    const sum = (of: (limit: (typeof limits)[number]) => number) =>
      limits.reduce((total, limit) => total + of(limit), 0)
    memory.allocated.set(sum((limit) => limit.memoryMb) * 1024 * 1024)
    disk.allocated.set(sum((limit) => limit.diskMb) * 1024 * 1024)
    cores.set({ kind: 'allocated' }, sum((limit) => limit.cpuPercent) / 100)
    if (latest) {
      memory.total.set(latest.node.memoryTotalBytes)
      memory.used.set(latest.node.memoryUsedBytes)
      disk.total.set(latest.node.diskTotalBytes)
      disk.used.set(latest.node.diskUsedBytes)
      cores.set({ kind: 'total' }, latest.node.cpuCores)
      cores.set({ kind: 'used' }, latest.node.cpuPercent / 100)
    }
    for (const [kind, name] of Object.entries(KINDS)) {
      const own = reconcilers.filter(({ memory }) => memory.kind === kind)
      for (const state of OBSERVED_STATES) {
        const count = own.filter((reconciler) => observedState(reconciler) === state).length
        servers.set({ node: options.nodeId, state, kind: name }, count)
      }
    }
    // A deleted one is remembered until the control plane no longer names it.
    const here = reconcilers.filter(({ memory }) => !memory.gone)
    perServer?.measure(latest?.servers ?? [], new Set(here.map(({ serverId }) => serverId)))
  }

  const server = http.createServer((request, response) => {
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') {
      return void response.writeHead(404).end()
    }
    collect()
    registry.metrics().then(
      (text) => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  const colon = options.address.lastIndexOf(':')
  const host = options.address.slice(0, colon).replace(/^\[|\]$/g, '')
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host, port: Number(options.address.slice(colon + 1)) }, resolve)
  })
  const bound = server.address()
  return {
    port: bound !== null && typeof bound === 'object' ? bound.port : 0,
    count: (event) => perServer?.count(event),
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** The resources allocated to one server of either kind. */
function allocatedTo(spec: WorkloadSpec) {
  if (!isMachine(spec)) return spec.limits
  const { memoryMb, cpuPercent, disks } = spec
  return { memoryMb, cpuPercent, diskMb: disks.reduce((sum, { sizeMb }) => sum + sizeMb, 0) }
}

function serverSeries(registry: Registry) {
  const registers = [registry]
  const labelNames = ['server_id']
  const memory = new Gauge({
    name: 'lodge_server_memory_bytes',
    help: 'Memory in use by a server.',
    labelNames,
    registers,
  })
  const cpu = new Counter({
    name: 'lodge_server_cpu_seconds_total',
    help: 'Processor time used by a server since the agent watches it.',
    labelNames,
    registers,
  })
  const network = new Counter({
    name: 'lodge_server_network_bytes_total',
    help: 'Bytes received and sent by a server since the agent watches it.',
    labelNames: [...labelNames, 'direction'],
    registers,
  })
  const restarts = new Counter({
    name: 'lodge_server_restarts_total',
    help: 'Restarts by the crash policy.',
    labelNames: [...labelNames, 'reason'],
    registers,
  })
  type Sample = {
    serverId: string
    at: Date
    cpuPercent: number
    memoryBytes: number
    networkRxBytes: number
    networkTxBytes: number
  }
  let before = new Map<string, Sample>()
  /** The servers that have series. */
  const shown = new Set<string>()
  return {
    measure(samples: readonly Sample[], known: ReadonlySet<string>) {
      memory.reset()
      for (const sample of samples) {
        const { serverId } = sample
        shown.add(serverId)
        memory.set({ server_id: serverId }, sample.memoryBytes)
        const earlier = before.get(serverId)
        const grown = (now: number, then: number) => (now >= then ? now - then : now)
        const seconds = earlier ? (sample.at.getTime() - earlier.at.getTime()) / 1000 : 0
        cpu.inc({ server_id: serverId }, Math.max(0, (sample.cpuPercent / 100) * seconds))
        const rx = grown(sample.networkRxBytes, earlier?.networkRxBytes ?? sample.networkRxBytes)
        const tx = grown(sample.networkTxBytes, earlier?.networkTxBytes ?? sample.networkTxBytes)
        network.inc({ server_id: serverId, direction: 'receive' }, rx)
        network.inc({ server_id: serverId, direction: 'transmit' }, tx)
      }
      for (const serverId of shown) {
        if (known.has(serverId)) continue
        shown.delete(serverId)
        cpu.remove({ server_id: serverId })
        network.remove({ server_id: serverId, direction: 'receive' })
        network.remove({ server_id: serverId, direction: 'transmit' })
        restarts.remove({ server_id: serverId, reason: 'crash' })
      }
      before = new Map(samples.map((sample) => [sample.serverId, sample]))
    },
    count({ serverId, kind }: Pick<ServerEvent, 'serverId' | 'kind'>) {
      if (kind !== 'restarted') return
      shown.add(serverId)
      restarts.inc({ server_id: serverId, reason: 'crash' })
    },
  }
}
