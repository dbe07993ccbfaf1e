import { randomUUID } from 'node:crypto'
import type { BootPermit } from '@lodge/driver/driver.ts'
import type { BootReply, BootQuestion as LeaseQuestion } from '@lodge/shared/leases/boot.ts'
import { z } from 'zod'
import type { Identity } from '../enrollment/identity.ts'
import { getJson } from './get-json.ts'

/** Upper bound on a permit's validity, counted from the request, whatever the answer says. */
const MOST_VALID_MS = 5_000
/**
 * A node whose lease expires sooner than this boots nothing: it could be fenced during the boot.
 */
const LEAST_LEASE_MS = 5_000
const TIMEOUT_MS = 4_000

export type BootAnswer =
  | {
      readonly kind: 'allow'
      readonly permit: BootPermit
      /** What a guarded server is judged by once more, directly before its boot. */
      readonly question: LeaseQuestion
      readonly reply: BootReply
    }
  | { readonly kind: 'deny'; readonly why: string }
  | { readonly kind: 'unreachable'; readonly why: string }

export interface BootQuestion {
  readonly identity: Identity
  readonly serverId: string
  readonly placementGeneration: number
  readonly nodeEpoch: number
  /** Milliseconds since boot, including suspend. */
  readonly uptimeMs: () => number
}

const Authorization = z.object({
  decision: z.enum(['allow', 'deny']),
  attempt: z.string(),
  serverId: z.string(),
  generation: z.int(),
  nodeEpoch: z.int(),
  validForMs: z.number().min(0),
  lease: z.object({ ttlMs: z.number() }).nullish(),
  holds: z.array(z.object({ kind: z.string() })).default([]),
  reasons: z.array(z.string()).default([]),
})

/**
 * Asks the control plane whether a server may boot here and now. Rejects an answer that is late or
 * belongs to another attempt, placement or node epoch, so a replayed or delayed answer never boots
 * one. Never throws.
 */
export async function askToBoot(question: BootQuestion): Promise<BootAnswer> {
  const { identity, serverId, placementGeneration, nodeEpoch, uptimeMs } = question
  const attempt = randomUUID()
  const query = new URLSearchParams({
    attempt,
    generation: String(placementGeneration),
    epoch: String(nodeEpoch),
  })
  const askedMs = uptimeMs()
  const path = `/api/agent/servers/${encodeURIComponent(serverId)}/vm-authorization?${query}`
  let answer: Awaited<ReturnType<typeof getJson>>
  try {
    answer = await getJson(identity, path, TIMEOUT_MS)
  } catch {
    return unreachable('the control plane cannot be reached')
  }
  if (answer.status === 404) return deny('the control plane does not know it on this node')
  if (answer.status === 401 || answer.status === 403) {
    return deny('the control plane does not accept this node: join it again')
  }
  const parsed = Authorization.safeParse(answer.body)
  if (answer.status !== 200 || !parsed.success) {
    return unreachable(`the control plane could not answer (${answer.status})`)
  }
  const { data } = parsed
  const isOurs =
    data.attempt === attempt &&
    data.serverId === serverId &&
    data.generation === placementGeneration &&
    data.nodeEpoch === nodeEpoch
  if (data.decision === 'deny') return deny(whyDenied(data))
  if (!isOurs) return unreachable('the control plane answered another question')
  if (data.lease && data.lease.ttlMs < LEAST_LEASE_MS) {
    return deny("the node's lease is about to end")
  }
  const validUntilUptimeMs = askedMs + Math.min(data.validForMs, MOST_VALID_MS)
  if (uptimeMs() >= validUntilUptimeMs) return unreachable('the control plane answered too late')
  const { decision, validForMs } = data
  const asked = { attempt, serverId, placement: placementGeneration, epoch: nodeEpoch }
  return {
    kind: 'allow',
    permit: { attempt, nodeEpoch, placementGeneration, validUntilUptimeMs },
    question: { ...asked, askedMs },
    reply: { ...asked, decision, validForMs },
  }
}

const deny = (why: string): BootAnswer => ({ kind: 'deny', why })
const unreachable = (why: string): BootAnswer => ({ kind: 'unreachable', why })

const HOLDS: Readonly<Record<string, string>> = {
  suspension: 'it is suspended',
  migration: 'it is being moved',
  migrating: 'it is being moved',
  restore: 'it is being restored',
  restoring: 'it is being restored',
  snapshotting: 'a snapshot is being made',
  deletion: 'it is being deleted',
  deleting: 'it is being deleted',
  failover: 'it is being recovered on another node',
  installation: 'it is being installed',
}
/** Reason codes. The empty ones are described by their hold. */
const REASONS: Readonly<Record<string, string>> = {
  hold: '',
  deleted: '',
  wrong_generation: 'it has another place by now',
  wrong_epoch: 'this node was set aside meanwhile',
  no_lease: 'the control plane has heard nothing of this node for too long',
  fenced: 'this node was taken over, and has not stopped everything yet',
  running_limit: "its owner's limit of running servers is reached",
}

function whyDenied({ holds, reasons }: z.infer<typeof Authorization>): string {
  const words = [
    ...holds.map(({ kind }) => HOLDS[kind] ?? `it is held (${kind})`),
    ...reasons.map((code) => REASONS[code] ?? code.replaceAll('_', ' ')),
  ].filter((word) => word !== '')
  return [...new Set(words)].join(', ') || 'the control plane does not allow it'
}
