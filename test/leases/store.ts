import type { FailoverMode } from '@lodge/shared/failover.ts'
import type { Heard } from '@lodge/shared/leases/acknowledgement.ts'
import type { Office } from '@lodge/shared/leases/coordinator.ts'
import type { Granting } from '@lodge/shared/leases/outstanding.ts'
import { confirmedRevision } from '@lodge/shared/leases/takeover.ts'
import { Fencings } from './fencings.ts'
import type { World } from './world.ts'

export interface NodeRow {
  epoch: number
  renewSeq: number
  /** Its own time to live, as an operator has set it. */
  ownTtlMs: number
  /** The extended time to live during maintenance of the control plane. */
  extendedTtlMs: number
  ttlRevision: number
  longestTtlMs: number
  fenced: boolean
  sessionId: number
  /** By the database's wall clock, which nothing may rely on. */
  renewedWallMs: number
  /** Until then another transaction has locked the row. */
  lockedUntilMs: number
}

export interface ServerRow {
  node: number
  placement: number
  mode: FailoverMode
  revision: number
  guardedRevision: number
  /** Number of the newest observation that was applied. */
  observation: number
  /** A job holds it, so it must be off. */
  held: boolean
}

/** Time to live of the leases that a node is granted. */
export const ttlOf = ({ ownTtlMs, extendedTtlMs }: NodeRow): number =>
  Math.max(ownTtlMs, extendedTtlMs)

/** The database: each method is one atomic statement or transaction. */
export class Store {
  readonly nodes: NodeRow[]
  readonly servers: ServerRow[]
  readonly office: { -readonly [K in keyof Office]: Office[K] } = {
    holderId: null,
    term: 0,
    renewSeq: 0,
  }
  wallOffsetMs = 0
  takeovers: number[] = []
  readonly fencings: Fencings
  readonly #world: World

  constructor(world: World, given: { nodes: number; servers: number; ttlMs: number }) {
    this.#world = world
    this.nodes = Array.from({ length: given.nodes }, () => ({
      epoch: 1,
      renewSeq: 0,
      ownTtlMs: given.ttlMs,
      extendedTtlMs: 0,
      ttlRevision: 0,
      longestTtlMs: given.ttlMs,
      fenced: false,
      sessionId: 0,
      renewedWallMs: 0,
      lockedUntilMs: 0,
    }))
    this.servers = Array.from({ length: given.servers }, (_, at) => ({
      node: at % given.nodes,
      placement: 1,
      mode: 'auto',
      revision: 1,
      guardedRevision: 0,
      observation: 0,
      held: false,
    }))
    this.fencings = new Fencings(world, this.nodes, () => world.nowMs + this.wallOffsetMs)
  }

  /** Statements that need the node's row wait for its lock. */
  whenFree(node: number, happen: () => void): void {
    const { lockedUntilMs } = this.nodes[node]!
    const { nowMs } = this.#world
    if (nowMs < lockedUntilMs)
      this.#world.after(lockedUntilMs - nowMs, () => this.whenFree(node, happen))
    else happen()
  }

  arrive(node: number, sessionId: number): NodeRow {
    const row = this.nodes[node]!
    row.sessionId = sessionId
    this.#renew(row)
    return row
  }

  /** Skips a locked row, as the real statement does. */
  hear(node: number, sessionId: number): Heard {
    const row = this.nodes[node]!
    if (row.sessionId !== sessionId) return { kind: 'superseded' }
    if (this.#world.nowMs < row.lockedUntilMs) return { kind: 'later' }
    this.#renew(row)
    if (row.fenced) return { kind: 'recorded', lease: null }
    const ttlMs = ttlOf(row)
    row.longestTtlMs = Math.max(row.longestTtlMs, ttlMs)
    return { kind: 'recorded', lease: { epoch: row.epoch, ttlMs } }
  }

  #renew(row: NodeRow): void {
    row.renewSeq += 1
    row.renewedWallMs = this.#world.nowMs + this.wallOffsetMs
  }

  /** Takes over, unless the node has renewed since the decision. */
  fence(node: number, seen: { epoch: number; renewSeq: number }): boolean {
    const row = this.nodes[node]!
    const isSame =
      row.epoch === seen.epoch &&
      (row.renewSeq === seen.renewSeq || !this.#world.rules.comparesRenewals)
    if (!isSame || row.fenced) return false
    row.fenced = true
    row.epoch += 1
    row.sessionId = 0
    row.longestTtlMs = ttlOf(row)
    this.takeovers.push(this.#world.nowMs)
    return true
  }

  /** A person has seen that its machine is off, whatever lease it may hold. */
  declareDead(node: number): void {
    const row = this.nodes[node]!
    row.fenced = true
    row.epoch += 1
    row.sessionId = 0
  }

  prove(node: number, sessionId: number, proof: { epoch: number; running: string[] }): boolean {
    const row = this.nodes[node]!
    if (row.sessionId !== sessionId) return false
    if (this.#world.rules.isProof(row, proof)) row.fenced = false
    return !row.fenced && row.epoch === proof.epoch
  }

  observed(node: number, server: number, said: { observation: number; guarded: number }): void {
    const row = this.servers[server]!
    if (row.node !== node || said.observation <= row.observation) return
    row.observation = said.observation
    row.guardedRevision = confirmedRevision(this.nodes[node]!, row.guardedRevision, said.guarded)
  }

  setTtl(node: number, change: Partial<Pick<NodeRow, 'ownTtlMs' | 'extendedTtlMs'>>): void {
    const row = this.nodes[node]!
    Object.assign(row, change)
    row.ttlRevision += 1
  }

  /** Forgets longer leases, if nothing about them has changed since the caller looked. */
  forgetLonger(node: number, seen: Granting): void {
    const row = this.nodes[node]!
    const isSame =
      row.epoch === seen.epoch &&
      row.ttlRevision === seen.ttlRevision &&
      row.longestTtlMs === seen.longestTtlMs
    if (isSame) row.longestTtlMs = ttlOf(row)
  }

  setMode(server: number, mode: ServerRow['mode']): void {
    const row = this.servers[server]!
    row.mode = mode
    row.revision += 1
  }

  /** Changes the server's node. */
  swap(server: number, node: number): void {
    const row = this.servers[server]!
    row.node = node
    row.placement += 1
    row.revision += 1
    row.guardedRevision = 0
    row.observation = 0
    row.held = false
  }
}
