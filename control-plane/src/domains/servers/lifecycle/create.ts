import { randomUUIDv7 } from 'node:crypto'
import type { NodeStep } from '@lodge/shared/job-words.ts'
import { creationAsks } from '@lodge/shared/limits/asks.ts'
import { type CreateServer, DEFAULT_CRASH_POLICY } from '@lodge/shared/servers.ts'
import type { TemplateDocument } from '@lodge/shared/templates/document.ts'
import { registriesOf, whyNoImage } from '@lodge/shared/templates/registries.ts'
import { portsNeeded } from '@lodge/shared/templates/resolve.ts'
import { z } from 'zod'
import type { Ctx } from '../../../context.ts'
import { type Db, isDuplicate } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import { lockOwner } from '../../customers/index.ts'
import { quotaOf } from '../../limits/index.ts'
import { findNode } from '../../nodes/index.ts'
import { findTemplate, findTemplateVersion } from '../../templates/index.ts'
import { requireOnNode } from '../abilities.ts'
import { oneMoreRunning } from '../desired-state/desired-state.ts'
import { insertHold } from '../hold-store.ts'
import { draftLike, draftOf, type MachineDraft } from '../machine/draft.ts'
import { beginCreation, byNode, type Operation } from '../operation.ts'
import { insertPorts, listPorts } from '../port-store.ts'
import { takePorts } from '../ports/take-ports.ts'
import { waitToStart } from '../power/waiting-start.ts'
import { storedSpec } from '../spec/sealed.ts'
import { requireVariables } from '../spec/spec-of.ts'
import { insertServer } from '../store.ts'
import type { ServerRow } from '../tables.ts'
import { provisionMachine } from './create-machine.ts'
import { requireExtraPorts } from './extra-ports.ts'
import { nodesWithStorage } from './on-storage.ts'
import { requireUnsuspended } from './require-unsuspended.ts'
import { reservePlace } from './reserve-place.ts'

/** Response to creating a server; `warnings` list what may be wrong with it. */
export const Created = z.object({
  serverId: z.uuid(),
  jobId: z.uuid(),
  warnings: z.array(z.string()),
})
type Created = z.infer<typeof Created>

const DEFAULT_SIZE = { memoryMb: 1024, cpuPercent: 100, diskMb: 5120 }

interface Creation {
  /** Created by a customer within their own limits. */
  readonly selfService?: boolean
  /** When it is deleted automatically. */
  readonly deleteAt?: Date
  /** The subscription that it comes with, whose plan applies instead of the owner's limits. */
  readonly subscriptionId?: string
  /** For a machine: hash of the first password of its user. */
  readonly passwordHash?: string | undefined
  /** Server to copy: same version of the template or hardware, ports, policy. */
  readonly like?: ServerRow
  /** The operation that does the work if not the node alone, and its hold until then. */
  readonly operation?: Pick<Operation, 'title' | 'hold' | 'work'> | undefined
}

/**
 * Creates a server: capacity, ports and desired state are reserved in one transaction, so nothing
 * is allocated twice. The node does the rest and the job reports the outcome.
 */
export async function createServer(
  ctx: Ctx,
  given: CreateServer,
  options: Creation = {},
): Promise<Created> {
  try {
    const selfService = options.selfService ?? false
    const draft = machineDraft(given, { ...options, selfService })
    return await ctx.transaction(async (ctx) => {
      const made = draft
        ? await provisionMachine(ctx, given, { ...options, draft, selfService })
        : await provision(ctx, given, { ...options, selfService })
      await ctx.emit('server.created', {
        serverId: made.serverId,
        serverName: given.name,
        people: [{ userId: given.ownerId, email: '' }],
        byStaff: isByStaff(ctx, given.ownerId) && options.subscriptionId === undefined,
      })
      return made
    })
  } catch (error) {
    // Two machines got the same random MAC address; try another.
    if (isDuplicate(error, 'machines_mac')) return createServer(ctx, given, options)
    throw error
  }
}

/** Programs with a token notify people themselves. */
const isByStaff = ({ actor }: Ctx, ownerId: string): boolean =>
  actor.kind === 'user' && actor.scopes === undefined && actor.id !== ownerId

/** The definition of a virtual machine; undefined for a container server. */
function machineDraft(
  given: CreateServer,
  { like, selfService }: Creation & { readonly selfService: boolean },
): ((db: Db) => Promise<MachineDraft>) | undefined {
  const { vm, name } = given
  if (like?.kind === 'vm') return (db) => draftLike(db, like, name)
  return vm && ((db) => draftOf(db, { ...given, vm }, selfService))
}

/** Why the node may be unable to get the chosen image. */
async function imageWarning(
  ctx: Ctx,
  document: TemplateDocument,
  { image, nodeId }: { readonly image?: string | undefined; readonly nodeId: string },
  unnamed: boolean,
): Promise<string | undefined> {
  const registries = registriesOf(document, image)
  const node = registries.length > 0 ? await findNode(ctx.db, nodeId) : undefined
  return node && whyNoImage(registries, [node], unnamed)
}

async function provision(
  ctx: Ctx,
  given: CreateServer,
  {
    selfService,
    deleteAt,
    subscriptionId,
    like,
    operation,
  }: Creation & { readonly selfService: boolean },
): Promise<Created> {
  // Independent queries are sent together, for one round trip to the database.
  const [owner, template] = await Promise.all([
    lockOwner(ctx.db, given.ownerId),
    findTemplate(ctx.db, given.templateId),
  ])
  if (!owner) throw invalid([{ pointer: '/ownerId', detail: 'is not an account' }])
  requireUnsuspended(owner)
  if (!template || (selfService && !template.customerVisible)) {
    throw invalid([{ pointer: '/templateId', detail: 'is not a template' }])
  }
  const version = like?.templateVersion ?? template.version
  const former = like && (await findTemplateVersion(ctx.db, template.id, version))
  const { document } = former ?? template
  requireVariables(document, given.variables ?? {})
  const size = sizeOf(document, given)
  const quota = await quotaOf(ctx, owner)
  const of = { subscriptionId: subscriptionId ?? null }
  const { nodeId, location, force } = given
  const among = given.storageId && (await nodesWithStorage(ctx.db, given.storageId, nodeId))
  const wanted = {
    ...{ workload: 'container' as const, nodeId, location, unnamed: selfService },
    ...(among && { among }),
  }
  const place = await reservePlace(ctx.db, quota, wanted, size, force)
  const at = { template: template.id, location: place.location }
  if (document.runtime.install)
    await requireOnNode(ctx, { nodeId: place.nodeId, kind: 'container' }, 'installer')
  await quota.require((usage) => creationAsks(usage, size, at), { force, selfService, of })
  const id = randomUUIDv7()
  const needed = portsNeeded(document)
  const extra = like ? await extraPortsOf(ctx.db, like.id, needed.length) : []
  await requireExtraPorts(quota, extra.length, force)
  const ports = takePorts(id, place, [...needed, ...extra], given.port)
  // A server that may not run now is created anyway and starts when the limits allow it.
  const wantsStart = given.start ?? true
  const start = wantsStart && (await quota.admits(oneMoreRunning, { force, of }))
  const draft = {
    id,
    name: given.name,
    variables: given.variables ?? {},
    image: given.image,
    storageId: given.storageId === undefined ? place.defaultStorageId : given.storageId,
    ...size,
  }
  const stored = storedSpec(ctx.vault, document, draft, ports, place.address)
  const row = {
    ...draft,
    ...stored,
    image: given.image ?? null,
    ownerId: owner.id,
    templateId: template.id,
    templateVersion: version,
    nodeId: place.nodeId,
    crashPolicy: like?.crashPolicy ?? DEFAULT_CRASH_POLICY,
    icon: like?.icon ?? null,
    tags: like?.tags ?? [],
    desiredPower: start ? 'on' : 'off',
    desiredRun: start ? 1 : 0,
    generation: 1,
    ...(deleteAt && { deleteAt }),
    ...(subscriptionId !== undefined && { subscriptionId }),
  } as const
  await insertServer(ctx.db, row)
  await insertPorts(ctx.db, ports)
  const steps: readonly NodeStep[] = [
    'Prepare the image',
    ...(document.runtime.install ? (['Install'] as const) : []),
    ...(start ? (['Start'] as const) : []),
  ]
  const { title, hold, work }: Omit<Operation, 'desired'> = operation ?? {
    title: `Create ${row.name}`,
    work: byNode('server.create', steps),
  }
  if (hold) await insertHold(ctx.db, id, hold.kind, hold.cause)
  const { jobId } = await beginCreation(ctx, row, { title, work })
  if (wantsStart && !start) await waitToStart(ctx, row)
  const warning = await imageWarning(ctx, document, { ...given, nodeId: place.nodeId }, selfService)
  return { serverId: id, jobId, warnings: warning ? [warning] : [] }
}

/** Ports that were added to a server besides those of its template. */
async function extraPortsOf(db: Db, serverId: string, ofTemplate: number) {
  const ports = await listPorts(db, serverId)
  return ports
    .filter(({ offset }) => offset >= ofTemplate)
    .map(({ offset, protocol, label, hostPort, containerPort }) => ({
      offset,
      protocol,
      label,
      container: containerPort === hostPort ? null : containerPort,
    }))
}

/** The requested size, else the template's recommendation. */
const sizeOf = ({ runtime }: TemplateDocument, given: CreateServer) => ({
  memoryMb: given.memoryMb ?? runtime.limits.memoryMb ?? DEFAULT_SIZE.memoryMb,
  cpuPercent: given.cpuPercent ?? runtime.limits.cpuPercent ?? DEFAULT_SIZE.cpuPercent,
  diskMb: given.diskMb ?? runtime.limits.diskMb ?? DEFAULT_SIZE.diskMb,
})
