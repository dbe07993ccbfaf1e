import {
  type Exit,
  type Failure,
  type OwnPower,
  Power,
  type ServerObserved,
  type ServerEvent as WireEvent,
} from '@lodge/proto/server.ts'
import { ExitInfo, ObservedState, ServerEvent } from '@lodge/shared/servers.ts'
import { contextFor } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import type { Services } from '../../../services.ts'
import { changeDesired } from '../desired-state/desired-state.ts'
import { insertEvents } from '../event-store.ts'
import { confirmed } from '../failover-store.ts'
import { holdsOf } from '../hold-store.ts'
import { purge } from '../lifecycle/remove.ts'
import { notifyAbout } from '../news/event-news.ts'
import { renewAhead, takeAhead } from '../set-back/found.ts'
import { type ObservedRow, observedOfNodes, updateObservation } from '../store.ts'
import type { ServerRow, serverEvents } from '../tables.ts'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Everything on one node. */
export interface Inventory {
  readonly nodeId: string
  readonly seen: readonly ServerObserved[]
}

/**
 * Applies a node's observations of some of its servers. Claims about servers of other nodes are
 * ignored, and an observation never changes desired state, holds, owner or placement.
 */
export async function takeObservations(
  services: Services,
  nodeId: string,
  seen: readonly ServerObserved[],
): Promise<void> {
  const ahead: ServerObserved[] = []
  await services.db.transaction(async (tx) => {
    for (const one of seen) if (await takeOne(services, tx, nodeId, one, false)) ahead.push(one)
  })
  if (ahead.length > 0) await renewAhead(services, nodeId, ahead)
}

/**
 * Applies complete inventories after a reconnect: a server that is not listed does not exist there.
 * Most entries are unchanged, which one statement for all of them detects.
 */
export async function takeInventories(
  services: Services,
  inventories: readonly Inventory[],
): Promise<void> {
  const rows = await observedOfNodes(
    services.db,
    inventories.map(({ nodeId }) => nodeId),
  )
  const byNode = Map.groupBy(rows, (row) => row.nodeId)
  for (const { nodeId, seen } of inventories) {
    const present = byNode.get(nodeId) ?? []
    const known = new Map(present.map((row) => [row.id, row]))
    const news = seen.filter((one) => !isUnchanged(known.get(one.serverId), one))
    const named = new Set(seen.map((one) => one.serverId))
    const missing = present.filter((row) => !named.has(row.id) && row.observedState !== 'absent')
    if (news.length === 0 && missing.length === 0) continue
    const ahead: ServerObserved[] = []
    await services.db.transaction(async (tx) => {
      for (const one of news) if (await takeOne(services, tx, nodeId, one, true)) ahead.push(one)
      for (const { id } of missing) {
        await updateObservation(tx, nodeId, id, 0, true, {
          observedState: 'absent',
          since: new Date(),
          restartAt: null,
          guardedRevision: 0,
        })
        await services.live.announce(tx, { kind: 'server', id })
      }
    })
    if (ahead.length > 0) await takeAhead(services, nodeId, ahead)
  }
}

/** After a reconnect most observations are unchanged. */
const isUnchanged = (row: ObservedRow | undefined, one: ServerObserved): boolean =>
  row !== undefined &&
  one.state !== 'absent' &&
  one.ownPower === undefined &&
  row.observation === one.observation &&
  row.observedState === one.state &&
  row.observedGeneration === one.generation &&
  one.generation <= row.generation &&
  row.settledGeneration === one.settledGeneration &&
  row.guardedRevision === (one.guardedRevision ?? 0)

/** @returns whether the node was told something newer than the database knows */
async function takeOne(
  services: Services,
  db: Db,
  nodeId: string,
  one: ServerObserved,
  complete: boolean,
): Promise<boolean> {
  const state = ObservedState.safeParse(one.state)
  if (!state.success || !UUID.test(one.serverId)) return false
  const failure = failureOf(one.failure)
  const row = await updateObservation(db, nodeId, one.serverId, one.observation, complete, {
    observedState: state.data,
    observedGeneration: one.generation,
    settledGeneration: one.settledGeneration,
    since: one.since ?? new Date(),
    failure,
    lastExit: exitOf(one.lastExit),
    restartAt: one.restartAt ?? null,
    restartRequired: one.restartRequired,
    installFailed: one.installFailed,
    bootWaitsFor: one.bootWaitsFor ? clean(one.bootWaitsFor).slice(0, 500) : null,
    guardedRevision: confirmed(nodeId, one.guardedRevision ?? 0),
    diskLimit: one.diskLimit === 'enforced' || one.diskLimit === 'measured' ? one.diskLimit : null,
  })
  if (!row) return false
  const isAhead = one.generation > row.generation
  await services.jobs.desiredState.settle(
    db,
    row.id,
    // An agent must not settle generations that do not exist yet.
    Math.min(row.settledGeneration, row.generation),
    row.settledGeneration >= row.generation || failure ? failure : null,
  )
  await services.live.announce(db, { kind: 'server', id: row.id })
  if (one.ownPower) await adoptPower(services, db, row, one.ownPower)
  if (state.data === 'absent' && row.settledGeneration >= row.generation)
    await purgeIfDeleting(services, db, row)
  return isAhead
}

/**
 * Adopts a change of power that a schedule made while the node was cut off, unless the desired power
 * was changed since.
 */
async function adoptPower(
  services: Services,
  db: Db,
  row: ServerRow,
  { generation, power }: OwnPower,
): Promise<void> {
  const wanted = power === Power.ON ? 'on' : power === Power.OFF ? 'off' : undefined
  if (wanted === undefined || row.generation !== generation || row.desiredPower === wanted) return
  const ctx = contextFor({ ...services, db }, { kind: 'system' } as const)
  await changeDesired(ctx, row, { desiredPower: wanted, desiredEnding: 'graceful' })
}

async function purgeIfDeleting(services: Services, db: Db, row: ServerRow): Promise<void> {
  const holds = (await holdsOf(db, [row.id])).get(row.id) ?? []
  if (holds.includes('deleting')) await purge(db, row, services)
}

const failureOf = (failure: Failure | undefined): { code: string; detail: string } | null =>
  failure
    ? { code: clean(failure.code).slice(0, 64), detail: clean(failure.detail).slice(0, 2000) }
    : null

function exitOf(exit: Exit | undefined): ExitInfo | null {
  const parsed = ExitInfo.safeParse(
    exit && {
      code: exit.code ?? null,
      signal: exit.signal === undefined ? null : clean(exit.signal).slice(0, 32),
      outOfMemory: exit.outOfMemory,
      at: exit.at?.toISOString(),
      cause: exit.cause,
    },
  )
  return parsed.success ? parsed.data : null
}

/** Converts an agent's events to rows; unknown kinds are dropped. */
export async function takeEvents(
  services: Services,
  db: Db,
  nodeId: string,
  events: readonly WireEvent[],
): Promise<void> {
  const fresh = await insertEvents(db, nodeId, events.flatMap(eventRow))
  for (const event of fresh) await notifyAbout(services, db, event)
  const ids = new Set(fresh.map(({ serverId }) => serverId))
  await services.live.announceAll(db, 'server', [...ids])
}

function eventRow(event: WireEvent): (typeof serverEvents.$inferInsert)[] {
  const kind = ServerEvent.shape.kind.safeParse(event.kind)
  if (!kind.success || !UUID.test(event.eventId) || !UUID.test(event.serverId)) return []
  return [
    {
      id: event.eventId,
      serverId: event.serverId,
      kind: kind.data,
      at: notInFuture(event.at ?? new Date()),
      exit: exitOf(event.exit),
      reason: clean(event.reason).slice(0, 1000),
      restart:
        event.restartOf > 0
          ? {
              attempt: event.restartAttempt,
              of: event.restartOf,
              waitSeconds: event.restartWaitSeconds,
            }
          : null,
      lastLines: event.lastLines.slice(-200).map((line) => clean(line).slice(0, 2000)),
    },
  ]
}

/** PostgreSQL cannot store NUL, and program output may contain anything. */
const clean = (text: string): string => text.replaceAll('\0', '').toWellFormed()

const notInFuture = (at: Date): Date => (at.getTime() > Date.now() + 60_000 ? new Date() : at)
