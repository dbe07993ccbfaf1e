/** How many nodes may be taken over within the window of `LeaseTimes.limitWindowMs`. */
export const mostTakeovers = (nodes: number): number => Math.max(2, Math.floor(nodes * 0.3))

/**
 * Whether the coordinator must leave all silent nodes alone and call a person: when more of them are
 * silent at once than nodes fail at once, the fault is likelier on the control plane's side. The
 * same holds when it hears no node at all.
 */
export function isTooMuch(fleet: {
  /** Nodes under leases. */
  readonly nodes: number
  /** Those that renew. */
  readonly heard: number
  /** Those due for a takeover now. */
  readonly due: number
  /** Takeovers within the window. */
  readonly recent: number
}): boolean {
  if (fleet.due === 0) return false
  return fleet.heard === 0 || fleet.due + fleet.recent > mostTakeovers(fleet.nodes)
}
