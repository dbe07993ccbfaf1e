import type { NodeRow } from './store.ts'
import type { World } from './world.ts'

/** A node that has to be switched off; times are by the database's wall clock. */
export interface Fencing {
  readonly renewSeq: number
  readonly tries: number
  readonly tryWallMs: number | null
  readonly offWallMs: number | null
}

const FRESH_MS = 60_000

/** The table of nodes that have to be switched off; each method is one statement. */
export class Fencings {
  /** How many were seen to be off. */
  off = 0
  readonly #world: World
  readonly #nodes: readonly NodeRow[]
  readonly #wallMs: () => number
  readonly #rows = new Map<number, Fencing>()

  constructor(world: World, nodes: readonly NodeRow[], wallMs: () => number) {
    this.#world = world
    this.#nodes = nodes
    this.#wallMs = wallMs
  }

  /** The row, as long as the node has given no sign of life since the request. */
  of(node: number): Fencing | undefined {
    const row = this.#rows.get(node)
    const isSame = row?.renewSeq === this.#nodes[node]!.renewSeq
    return isSame || !this.#world.rules.endsWithSignOfLife ? row : undefined
  }

  isOff(node: number): boolean {
    const row = this.of(node)
    return row !== undefined && row.offWallMs !== null && row.tryWallMs === null
  }

  isFresh(node: number): boolean {
    const { offWallMs = null } = this.of(node) ?? {}
    return offWallMs !== null && offWallMs > this.#wallMs() - FRESH_MS
  }

  ask(node: number, renewSeq: number): void {
    if (renewSeq <= (this.#rows.get(node)?.renewSeq ?? -1)) return
    this.#rows.set(node, { renewSeq, tries: 0, tryWallMs: this.#wallMs(), offWallMs: null })
  }

  lookAgain(node: number): void {
    const row = this.#rows.get(node)
    if (row?.tryWallMs === null) this.#rows.set(node, { ...row, tryWallMs: this.#wallMs() })
  }

  claim(node: number, forMs: number): Fencing | undefined {
    const row = this.of(node)
    const nowMs = this.#wallMs()
    if (!row || row.tryWallMs === null || row.tryWallMs > nowMs) return undefined
    const claimed = { ...row, tries: row.tries + 1, tryWallMs: nowMs + forMs }
    this.#rows.set(node, claimed)
    return claimed
  }

  isStillDue(node: number, claim: Fencing): boolean {
    return this.of(node) !== undefined && this.#isOwn(node, claim)
  }

  #isOwn(node: number, claim: Fencing): boolean {
    const row = this.#rows.get(node)
    return (
      row?.renewSeq === claim.renewSeq &&
      row.tries === claim.tries &&
      (row.tryWallMs ?? 0) > this.#wallMs()
    )
  }

  end(node: number, claim: Fencing, isOff: boolean, againMs: number): void {
    const row = this.#rows.get(node)
    if (!row || !this.#isOwn(node, claim)) return
    const nowMs = this.#wallMs()
    if (isOff) this.off += 1
    this.#rows.set(
      node,
      isOff
        ? { ...row, tryWallMs: null, offWallMs: nowMs }
        : { ...row, tryWallMs: nowMs + againMs },
    )
  }
}
