import {
  lookAtOffice,
  type Office,
  type OfficeSight,
  officeStep,
} from '@lodge/shared/leases/coordinator.ts'
import { look, type Sight, takeoverInMs } from '@lodge/shared/leases/observe.ts'
import type { LeaseTimes } from '@lodge/shared/leases/times.ts'
import type { WatchedNode } from '../nodes/index.ts'

/**
 * What one instance has seen of the leases and of the coordinator. It lives in memory alone and ends
 * with the instance or its term: whoever is the coordinator next counts anew, by its own clock.
 */
export class Watch {
  readonly #times: LeaseTimes
  #office: OfficeSight | undefined
  #sights = new Map<string, Sight>()

  constructor(times: LeaseTimes) {
    this.#times = times
  }

  /** What this instance does about the coordinator. */
  officeStep(instanceId: string, office: Office, nowMs: number): ReturnType<typeof officeStep> {
    this.#office = lookAtOffice(this.#office, office, nowMs)
    const step = officeStep(instanceId, office, this.#office, nowMs, this.#times)
    if (step !== 'renew') this.forget()
    return step
  }

  /** Everything seen so far was seen by a coordinator that is none any more. */
  forget(): void {
    this.#sights.clear()
  }

  /**
   * Looks at all nodes.
   * @param nowMs the monotonic clock of this process, read after the nodes were
   */
  look(nodes: readonly WatchedNode[], nowMs: number): void {
    this.#sights = new Map(
      nodes.map((node) => [node.id, look(this.#sights.get(node.id), node, nowMs)]),
    )
  }

  /** Whether it has renewed something lately. */
  isHeard({ id }: WatchedNode, nowMs: number): boolean {
    const sight = this.#sights.get(id)
    return sight !== undefined && nowMs - sight.sinceMs < this.#times.suspectMs
  }

  /** Whether it was silent for so long that every lease of it has ended, and what was under it. */
  isOver(node: WatchedNode, nowMs: number): boolean {
    const sight = this.#sights.get(node.id)
    if (!sight || node.fenced) return false
    return takeoverInMs(sight, node, nowMs, this.#times) <= 0
  }
}
