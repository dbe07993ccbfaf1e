import { randomUUID } from 'node:crypto'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { Logger } from 'pino'
import { hasPermission, type User } from '../actor.ts'
import { type Db, notify } from '../db/database.ts'
import type { Announcement, AnnouncementKind } from './announcement.ts'
import { type Audience, KEEP_MS, type LiveEvent, ReplayBuffer } from './replay-buffer.ts'

/** How open panels are updated for announcements of one kind. */
export interface LiveSource {
  /** Loads the current state for an announcement, omitting what is gone. */
  load(db: Db, ids: readonly string[]): Promise<readonly Loaded[]>
  /**
   * Above this number of changes, panels are told to reload instead of receiving each one, e.g.
   * when a whole fleet announces at once. With a limit, nothing is loaded while nobody watches;
   * without one, `load` always runs, since it may have other effects.
   */
  readonly bulkLimit?: number
}
export type LiveSources = { readonly [Kind in AnnouncementKind]?: LiveSource }
export interface Loaded {
  readonly event: string
  readonly data: unknown
  readonly audience: Audience
  /** Quickly outdated, so not kept for replay. */
  readonly passing?: boolean
}

/** PostgreSQL limits a notification to less than 8,000 bytes. */
const IDS_PER_NOTICE = 150
/**
 * After a quiet time, announcements are sent at once; those that follow within this time are
 * batched.
 */
const COALESCE_MS = 40
/** A client that received a position subscribes within this time or reloads. */
const EXPECTED_WITHIN_MS = 15_000

/**
 * Live updates for open panels. A change announces only its id, through PostgreSQL, in the
 * transaction that makes it; every instance then loads the newest state once and sends it to those
 * who may see it.
 */
export class LiveEvents {
  readonly instanceId = randomUUID()
  readonly #db: Db
  readonly #log: Logger
  readonly #sources = new Map<AnnouncementKind, LiveSource>()
  readonly #viewers = new Map<symbol, { user: User; send: (event: LiveEvent) => void }>()
  readonly #pending = new Map<AnnouncementKind, Set<string>>()
  /** One load of a kind at a time: an earlier state must not arrive after a later one. */
  readonly #loading = new Set<AnnouncementKind>()
  readonly #buffer = new ReplayBuffer()
  #timer: NodeJS.Timeout | undefined
  #stopped = false
  #watchedUntil = 0
  #sentAt = Number.NEGATIVE_INFINITY

  constructor(db: Db, log: Logger) {
    this.#db = db
    this.#log = log
  }

  /** Announces a change to every instance if and when the transaction commits. */
  async announce(db: Db, announcement: Announcement): Promise<void> {
    await notify(db, 'lodge_live', JSON.stringify(announcement))
  }

  /** Announces many changes of one kind. */
  async announceAll(db: Db, kind: AnnouncementKind, ids: readonly string[]): Promise<void> {
    for (let at = 0; at < ids.length; at += IDS_PER_NOTICE)
      await this.announce(db, { kind, id: ids.slice(at, at + IDS_PER_NOTICE).join(',') })
  }

  register(sources: LiveSources): void {
    for (const [kind, source] of Object.entries(sources))
      this.#sources.set(kind as AnnouncementKind, source)
  }

  get viewers(): number {
    return this.#viewers.size
  }

  /**
   * The id of the newest event, for a client that loads the current state and subscribes shortly
   * after. Events in between are kept as if it were already watching.
   */
  position(): string {
    this.#watchedUntil = Math.max(this.#watchedUntil, Date.now() + EXPECTED_WITHIN_MS)
    return this.#buffer.newestId(this.instanceId)
  }

  /**
   * @param lastEventId the last event the browser saw, for replay
   * @returns a function that ends the subscription
   */
  subscribe(
    user: User,
    lastEventId: string | undefined,
    send: (event: LiveEvent) => void,
  ): () => void {
    const key = Symbol(user.id)
    const missed = this.#buffer.since(lastEventId, this.instanceId)
    if (missed === undefined) send(this.#buffer.reset(this.instanceId))
    else for (const event of missed) if (maySee(user, event.audience)) send(event)
    this.#viewers.set(key, { user, send })
    return () => {
      this.#viewers.delete(key)
      this.#watchedUntil = Date.now() + KEEP_MS
    }
  }

  /** Loads nothing from now on: the database is about to close. */
  stop(): void {
    this.#stopped = true
    clearTimeout(this.#timer)
  }

  /** Called for an announcement of any instance. */
  heard(announcement: Announcement): void {
    if (this.#stopped) return
    const ids = this.#pending.get(announcement.kind) ?? new Set()
    for (const id of announcement.id.split(',')) ids.add(id)
    this.#pending.set(announcement.kind, ids)
    this.#flushSoon()
  }

  /** The PostgreSQL connection was lost and announcements may be missing, so everyone reloads. */
  resetAll(): void {
    this.#buffer.forget()
    const event = this.#buffer.reset(this.instanceId)
    for (const { send } of this.#viewers.values()) send(event)
  }

  /** Nobody watches, and the last watcher would have to reload anyway. */
  get #unwatched(): boolean {
    return this.#viewers.size === 0 && this.#watchedUntil < Date.now()
  }

  #flushSoon(): void {
    if (this.#stopped) return
    const wait = Math.max(0, this.#sentAt + COALESCE_MS - performance.now())
    this.#timer ??= setTimeout(() => this.#flush(), wait)
  }

  #flush(): void {
    this.#timer = undefined
    this.#sentAt = performance.now()
    for (const [kind, ids] of [...this.#pending]) {
      if (this.#loading.has(kind)) continue
      this.#pending.delete(kind)
      void this.#loadInTurn(kind, [...ids])
    }
  }

  async #loadInTurn(kind: AnnouncementKind, ids: readonly string[]): Promise<void> {
    this.#loading.add(kind)
    try {
      await this.#load(kind, ids)
    } catch (error) {
      if (this.#stopped) return
      this.#log.warn({ err: error, kind }, 'could not load a change, open panels reload')
      this.resetAll()
    } finally {
      this.#loading.delete(kind)
      if (this.#pending.has(kind)) this.#flushSoon()
    }
  }

  async #load(kind: AnnouncementKind, ids: readonly string[]): Promise<void> {
    const source = this.#sources.get(kind)
    if (!source) return
    const most = source.bulkLimit
    if (most !== undefined && this.#unwatched) this.#buffer.forget()
    else if (ids.length > (most ?? Number.POSITIVE_INFINITY)) this.resetAll()
    else for (const one of await source.load(this.#db, ids)) this.#send(one)
  }

  #send(loaded: Loaded): void {
    const event = this.#buffer.add(this.instanceId, loaded, loaded.passing ?? false)
    for (const { user, send } of this.#viewers.values())
      if (maySee(user, event.audience)) send(event)
  }
}

function maySee(user: User, audience: Audience): boolean {
  if (audience.everyone || (audience.userIds?.includes(user.id) ?? false)) return true
  const permission: AdminPermission | undefined = audience.permission
  return permission !== undefined && hasPermission(user, permission)
}
