import { leftMs, type NodeLease } from './node-lease.ts'
import type { LeaseTimes } from './times.ts'

/** A question for the permit to boot one server once. */
export interface BootQuestion {
  readonly attempt: string
  readonly serverId: string
  readonly placement: number
  readonly epoch: number
  /** By the node's clock since boot, before the question is sent. */
  readonly askedMs: number
}

export interface BootReply {
  readonly decision: 'allow' | 'deny'
  readonly attempt: string
  readonly serverId: string
  readonly placement: number
  readonly epoch: number
  readonly validForMs: number
}

/** Why a server may not boot now; all but `released` are worth another question. */
export type NoBoot =
  | 'denied'
  | 'other-question'
  | 'late'
  | 'fenced'
  | 'other-epoch'
  | 'lease-ends'
  | 'released'

/**
 * Whether a guarded server may boot at this moment: with a fresh allowance for exactly this attempt,
 * placement and epoch (I5), under a lease that lasts long enough, and only as long as the node has
 * not given the placement away. Decide it directly before the boot, once per attempt.
 * @param given.releasedThrough the newest placement of the server that the node has given away
 * @returns undefined: it may
 */
export function whyNoBoot(
  given: {
    readonly lease: NodeLease
    readonly question: BootQuestion
    readonly reply: BootReply
    readonly releasedThrough: number
  },
  nowMs: number,
  times: Pick<LeaseTimes, 'bootLeastMs' | 'bootValidMs'>,
): NoBoot | undefined {
  const { lease, question, reply, releasedThrough } = given
  if (question.placement <= releasedThrough) return 'released'
  const isOurs =
    reply.attempt === question.attempt &&
    reply.serverId === question.serverId &&
    reply.placement === question.placement &&
    reply.epoch === question.epoch
  if (!isOurs) return reply.decision === 'deny' ? 'denied' : 'other-question'
  if (reply.decision === 'deny') return 'denied'
  if (nowMs - question.askedMs >= Math.min(reply.validForMs, times.bootValidMs)) return 'late'
  if (lease.fenced) return 'fenced'
  if (lease.epoch !== question.epoch) return 'other-epoch'
  return leftMs(lease, nowMs) < times.bootLeastMs ? 'lease-ends' : undefined
}
