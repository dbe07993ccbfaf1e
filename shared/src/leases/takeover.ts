/** A server on a node that was taken over, as far as it decides whether it is brought back. */
export interface OnFencedNode {
  readonly mode: 'pinned' | 'auto' | 'stonith'
  /** Grows with each change of the mode and of the place. */
  readonly revision: number
  /** The revision that the node has said to be in force before it fell silent. */
  readonly guardedRevision: number
}

/**
 * Whether a server of a fenced node may be started elsewhere without a person's word: only if the
 * node has confirmed that this very mode is in force, because then its workload died with the lease
 * (I1, I2). A server whose mode was changed while the node was away may run there still. A machine
 * that is off runs nothing, whatever it has confirmed; a pinned server waits for a person all the same.
 * @param isOff the machine was seen to be off since its last sign of life
 */
export const isSurelyDead = (
  { mode, revision, guardedRevision }: OnFencedNode,
  isOff = false,
): boolean =>
  mode !== 'pinned' && (isOff || (mode === 'auto' && guardedRevision === revision && revision > 0))

/** Whether a fenced node may be accepted again: nothing guarded runs, in this epoch. */
export const isProof = (
  node: { readonly epoch: number; readonly fenced: boolean },
  proof: { readonly epoch: number; readonly running: readonly string[] },
): boolean => node.fenced && proof.epoch === node.epoch && proof.running.length === 0

/**
 * The revision that counts as confirmed after an observation. What a fenced node says of itself only
 * lowers it: what it begins to guard now was not under the lease that ended.
 */
export const confirmedRevision = (
  node: { readonly fenced: boolean },
  before: number,
  said: number,
): number => (node.fenced ? Math.min(before, said) : said)
