import {
  lookAtOffice,
  type Office,
  type OfficeSight,
  officeStep,
} from '@lodge/shared/leases/coordinator.ts'
import { look, type Sight, takeoverInMs } from '@lodge/shared/leases/observe.ts'
import {
  areLongerOver,
  type GrantingSight,
  lookAtGranting,
} from '@lodge/shared/leases/outstanding.ts'
import type { LeaseTimes } from '@lodge/shared/leases/times.ts'
import type { WatchedNode } from '../nodes/index.ts'

/**
 * What one instance has seen of the leases and of the coordinator. In memory only, it ends with the
 * instance or its term: the next coordinator counts anew, by its own clock.
 */
export class Watch {
  readonly #times: LeaseTimes
  #office: OfficeSight | undefined
  #sights = new Map<string, Sight>()
  #grantings = new Map<string, GrantingSight>()
  #lookedMs = 0
  #stoppedMs = Number.NEGATIVE_INFINITY

  constructor(times: LeaseTimes) {
    this.#times = times
  }

  /** What this instance has to do about the coordinator's claim. */
  officeStep(instanceId: string, office: Office, nowMs: number): ReturnType<typeof officeStep> {
    this.#office = lookAtOffice(this.#office, office, nowMs)
    const step = officeStep(instanceId, office, this.#office, nowMs, this.#times)
    if (step !== 'renew') this.forget()
    return step
  }

  /** Forgets everything seen in a term that has ended. */
  forget(): void {
    this.#sights.clear()
    this.#grantings.clear()
  }

  /**
   * Looks at all nodes.
   * @param nowMs the monotonic clock of this process, read after the nodes were read
   */
  look(nodes: readonly WatchedNode[], nowMs: number): void {
    // It was away itself (its database, or its process), so it cannot tell who was silent meanwhile.
    if (nowMs - this.#lookedMs >= this.#times.suspectMs) this.forget()
    this.#lookedMs = nowMs
    this.#sights = new Map(
      nodes.map((node) => [node.id, look(this.#sights.get(node.id), node, nowMs)]),
    )
    this.#grantings = new Map(
      nodes.map((node) => [node.id, lookAtGranting(this.#grantings.get(node.id), node, nowMs)]),
    )
  }

  /**
   * Whether silent nodes are left alone: too many were silent a moment ago and may be about to return
   * one by one, as after an outage on the control plane's side.
   */
  isStopped(isTooMuch: boolean, nowMs: number): boolean {
    if (isTooMuch) this.#stoppedMs = nowMs
    return nowMs - this.#stoppedMs < this.#times.returnMs
  }

  /** Its observations without nodes whose earlier, longer leases have ended. */
  withoutLonger(nowMs: number): readonly (readonly [id: string, seen: GrantingSight])[] {
    return [...this.#grantings].filter(([, sight]) => areLongerOver(sight, nowMs, this.#times))
  }

  /** Whether it has renewed its lease lately. */
  isHeard({ id }: WatchedNode, nowMs: number): boolean {
    const sight = this.#sights.get(id)
    return sight !== undefined && nowMs - sight.sinceMs < this.#times.suspectMs
  }

  /**
   * Whether it was silent for so long that every lease of it has ended, and so have the servers under
   * it.
   */
  isOver(node: WatchedNode, nowMs: number): boolean {
    const sight = this.#sights.get(node.id)
    if (!sight) return false
    return takeoverInMs(sight, node, nowMs, this.#times) <= 0
  }
}
