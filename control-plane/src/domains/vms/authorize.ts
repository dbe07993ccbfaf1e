import type { VmAuthorization } from '@lodge/shared/vm-agents.ts'
import type { Agent } from '../../actor.ts'
import type { Ctx } from '../../context.ts'
import { notFound, Problem } from '../../problem.ts'
import { findUser } from '../customers/index.ts'
import { quotaOf } from '../limits/index.ts'
import {
  comparedNodes,
  findNode,
  grantedTtlMs,
  isOnline,
  lookAtDatabase,
  type NodeRow,
} from '../nodes/index.ts'
import { oneMoreRunning } from '../servers/index.ts'
import { insertGrant, readForBoot } from './store.ts'

const VALID_MS = 5_000

/** A server's holds as reported to agents. */
const HOLDS: Readonly<Record<string, string>> = {
  suspension: 'suspension',
  migrating: 'migration',
  restoring: 'restore',
  snapshotting: 'snapshotting',
  deletion: 'deletion',
  deleting: 'deletion',
  failover: 'failover',
  'set-back': 'admin',
  installing: 'installation',
}

type Reason = VmAuthorization['reasons'][number]
type Found = NonNullable<Awaited<ReturnType<typeof readForBoot>>>

/**
 * Decides whether a guest may boot now: it must be placed on this node under this generation, the
 * node must be alive and in this epoch, and nothing may hold the server. The rows it depends on
 * stay locked until the decision is stored, so an answer is true when given. A refusal is an
 * answer, not an error, because the agent must distinguish it from a lost request.
 */
export async function authorizeBoot(
  ctx: Ctx<Agent>,
  serverId: string,
  asked: { readonly attempt: string; readonly generation: number; readonly epoch: number },
): Promise<VmAuthorization> {
  const isSafe = await lookAtDatabase(ctx)
  return ctx.transaction(async (ctx) => {
    const node = await findNode(ctx.db, ctx.actor.nodeId)
    const found = await readForBoot(ctx.db, serverId)
    if (!node || found?.nodeId !== node.id) throw notFound('server')
    const reasons = await reasonsAgainst(ctx, node, found, { ...asked, isSafe })
    const allowed = reasons.length === 0
    const { attempt, generation, epoch } = asked
    const fresh = await insertGrant(ctx.db, {
      attempt,
      serverId,
      nodeId: node.id,
      placementGeneration: generation,
      nodeEpoch: epoch,
      allowed,
      reasons,
    })
    if (!fresh) throw new Problem('conflict', 'This attempt was already answered: start a new one')
    return {
      decision: allowed ? 'allow' : 'deny',
      attempt,
      serverId,
      generation: found.generation,
      nodeEpoch: node.epoch,
      validForMs: VALID_MS,
      lease: { renewSeq: node.renewSeq, ttlMs: grantedTtlMs(node) },
      holds: found.holds.map(({ kind, since }) => ({
        kind: HOLDS[kind] ?? kind,
        since: since.toISOString(),
      })),
      reasons,
    }
  })
}

async function reasonsAgainst(
  ctx: Ctx,
  node: NodeRow,
  found: Found,
  asked: { readonly generation: number; readonly epoch: number; readonly isSafe: boolean },
): Promise<Reason[]> {
  const seenMs = node.lastSeenAt?.getTime() ?? 0
  const lives = isOnline(node) && ctx.now.getTime() - seenMs < grantedTtlMs(node)
  // After a set-back of the database, nothing boots before the node's inventory was compared with it.
  const isCompared = (await comparedNodes(ctx.db, [node.id])).has(node.id)
  const against: [boolean, Reason][] = [
    [found.generation !== asked.generation, 'wrong_generation'],
    [node.epoch !== asked.epoch, 'wrong_epoch'],
    [!lives || asked.isSafe || !isCompared, 'no_lease'],
    [node.fencedAt !== null, 'fenced'],
    [found.holds.some((hold) => forbids(found, hold.kind)), 'hold'],
    [found.holds.some(({ kind }) => kind === 'deleting'), 'deleted'],
    [await isOneTooMany(ctx, found), 'running_limit'],
  ]
  return against.flatMap(([is, reason]) => (is ? [reason] : []))
}

/**
 * A container keeps running while it is copied, even during a move, whose last step waits until it
 * runs.
 */
const forbids = ({ kind }: Found, hold: string): boolean =>
  !(kind === 'container' && hold === 'backing-up')

/**
 * A server with desired power "on" was counted when it was started. One that boots for another
 * reason must fit within the limit now.
 */
async function isOneTooMany(ctx: Ctx, found: Found): Promise<boolean> {
  if (found.desiredPower === 'on') return false
  const owner = await findUser(ctx.db, found.ownerId)
  return owner ? !(await quotaOf(ctx, owner)).has(oneMoreRunning, { of: found }) : true
}
