import { randomUUIDv7 } from 'node:crypto'
import { type CreateServer, DEFAULT_CRASH_POLICY } from '@lodge/shared/servers.ts'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import {
  containerSpecOf,
  portsNeeded,
  TemplateValueError,
  variableFaults,
} from '@lodge/shared/templates/resolve.ts'
import { type Ctx, holds } from '../../context.ts'
import { type Db, isDuplicate } from '../../db/database.ts'
import { invalid } from '../../http/input.ts'
import { Problem } from '../../problem.ts'
import { lockOwner } from '../customers/index.ts'
import { findNode, reserveNode } from '../nodes/index.ts'
import { findTemplate } from '../templates/index.ts'
import { freePorts, insertPorts, insertServer } from './store.ts'
import type { PortRow, ServerRow } from './tables.ts'
import { announceWish } from './wish.ts'

const DEFAULT_SIZE = { memoryMb: 1024, cpuPercent: 100, diskMb: 5120 }

/**
 * Provisions a server: room, ports and the wish are taken in one transaction, so nothing is ever
 * promised twice; the node does the rest and the job tells how it went.
 */
export async function createServer(
  ctx: Ctx,
  given: CreateServer,
): Promise<{ serverId: string; jobId: string }> {
  if (given.force && ctx.actor.kind === 'user' && !holds(ctx.actor, 'servers.force_limits')) {
    throw new Problem(
      'permission_required',
      'Exceeding limits needs the permission servers.force_limits',
      {
        fields: { permission: 'servers.force_limits' },
      },
    )
  }
  try {
    return await ctx.transaction((ctx) => provision(ctx, given))
  } catch (error) {
    if (isDuplicate(error, 'server_ports_one_per_node')) throw portTaken(given.port ?? 0)
    throw error
  }
}

async function provision(
  ctx: Ctx,
  given: CreateServer,
): Promise<{ serverId: string; jobId: string }> {
  const owner = await lockOwner(ctx.db, given.ownerId)
  if (!owner) throw invalid([{ pointer: '/ownerId', detail: 'is not an account' }])
  const template = await findTemplate(ctx.db, given.templateId)
  if (!template) throw invalid([{ pointer: '/templateId', detail: 'is not a template' }])
  const { document } = template
  requireVariables(document, given.variables ?? {})
  const size = {
    memoryMb: given.memoryMb ?? document.runtime.limits.memoryMb ?? DEFAULT_SIZE.memoryMb,
    cpuPercent: given.cpuPercent ?? document.runtime.limits.cpuPercent ?? DEFAULT_SIZE.cpuPercent,
    diskMb: given.diskMb ?? document.runtime.limits.diskMb ?? DEFAULT_SIZE.diskMb,
  }
  const place = await reserveNode(ctx.db, given, size)
  const id = randomUUIDv7()
  const ports = await takePorts(ctx.db, id, place, document, given.port)
  const start = given.start ?? true
  const node = await findNode(ctx.db, place.nodeId)
  const draft = {
    id,
    name: given.name,
    variables: given.variables ?? {},
    image: given.image,
    ...size,
  }
  const row = await insertServer(ctx.db, {
    ...draft,
    image: given.image ?? null,
    ownerId: owner.id,
    templateId: template.id,
    templateVersion: template.version,
    nodeId: place.nodeId,
    crashPolicy: DEFAULT_CRASH_POLICY,
    wishPower: start ? 'on' : 'off',
    wishRun: start ? 1 : 0,
    wishSpec: specOf(document, draft, ports, node?.address ?? node?.remoteAddress ?? null),
  })
  await insertPorts(ctx.db, ports)
  await announceWish(ctx, row)
  const steps = [
    'Prepare the image',
    ...(document.runtime.install ? ['Install'] : []),
    ...(start ? ['Start'] : []),
  ]
  const job = await ctx.jobs.awaitGeneration(
    ctx,
    'server.create',
    row.generation,
    aboutServer(row, `Create ${row.name}`),
    steps,
  )
  return { serverId: id, jobId: job.id }
}

export const aboutServer = (row: Pick<ServerRow, 'id' | 'nodeId' | 'ownerId'>, title: string) => ({
  title,
  serverId: row.id,
  nodeId: row.nodeId,
  ownerId: row.ownerId,
})

/** Every value must keep the rules of its variable. */
export function requireVariables(
  document: TemplateDocument,
  values: Readonly<Record<string, string>>,
): void {
  const faults = variableFaults(document, values)
  if (faults.length > 0)
    throw invalid(
      faults.map((fault) => ({ pointer: `/variables/${fault.env}`, detail: fault.detail })),
    )
}

/** The finished instruction for the node; what does not fit the template is the caller's to mend. */
export function specOf(
  document: TemplateDocument,
  server: Pick<ServerRow, 'id' | 'name' | 'variables' | 'memoryMb' | 'cpuPercent' | 'diskMb'> & {
    image?: string | null | undefined
  },
  ports: readonly PortRow[],
  address: string | null,
) {
  try {
    return containerSpecOf(document, {
      ...server,
      image: server.image ?? undefined,
      ports: ports.map((port) => ({
        offset: port.offset,
        hostPort: port.hostPort,
        container: port.containerPort,
        protocol: port.protocol,
      })),
      address,
    })
  } catch (error) {
    if (error instanceof TemplateValueError) throw new Problem('validation_failed', error.message)
    throw error
  }
}

/** Ports for everything the template listens on; the primary one may be asked for. The node's row is held. */
async function takePorts(
  db: Db,
  serverId: string,
  place: { nodeId: string; portRanges: { from: number; to: number }[] },
  document: TemplateDocument,
  wanted: number | undefined,
): Promise<PortRow[]> {
  const needed = portsNeeded(document)
  const free = await freePorts(db, place.nodeId, place.portRanges, needed.length + 1)
  if (wanted !== undefined) {
    if (!place.portRanges.some((range) => wanted >= range.from && wanted <= range.to)) {
      throw new Problem(
        'port_unavailable',
        `Port ${wanted} is outside the node's port ranges: choose one within them or leave it out`,
      )
    }
    const own = await freePorts(db, place.nodeId, [{ from: wanted, to: wanted }], 1)
    if (own.length === 0) throw portTaken(wanted)
  }
  const others = free.filter((port) => port !== wanted)
  const hostPorts = wanted === undefined ? others : [wanted, ...others]
  if (hostPorts.length < needed.length)
    throw new Problem('no_capacity', 'The node has no free ports left: widen its port ranges')
  return needed.map((need, at) => {
    const hostPort = hostPorts[at] as number
    return {
      serverId,
      offset: need.offset,
      nodeId: place.nodeId,
      hostPort,
      containerPort: need.container ?? hostPort,
      protocol: need.protocol,
      label: need.label,
    }
  })
}

const portTaken = (port: number) =>
  new Problem(
    'port_unavailable',
    `Port ${port} is in use on this node: choose another one or leave it out`,
  )
