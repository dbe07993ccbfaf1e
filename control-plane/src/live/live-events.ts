import { randomUUID } from 'node:crypto'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { Logger } from 'pino'
import { holds, type User } from '../context.ts'
import { type Db, notify } from '../db/database.ts'
import type { Announcement, AnnouncementKind } from './announcement.ts'
import { type Audience, type LiveEvent, ReplayBuffer } from './replay-buffer.ts'

/** Loads what an announcement is about, as it stands now. What is gone is left out. */
export type LiveLoader = (db: Db, ids: readonly string[]) => Promise<readonly Loaded[]>
export interface Loaded {
  readonly event: string
  readonly data: unknown
  readonly audience: Audience
  /** Soon outdated, so not kept for whoever comes back later. */
  readonly passing?: boolean
}

/** Announcements that come close together are told as one. */
const COALESCE_MS = 40

/**
 * News for open panels. A change announces only its id, inside the transaction that makes it, through
 * PostgreSQL; every instance then loads the newest state once and hands it to those who may see it.
 */
export class LiveEvents {
  readonly instanceId = randomUUID()
  readonly #db: Db
  readonly #log: Logger
  readonly #loaders = new Map<AnnouncementKind, LiveLoader>()
  readonly #viewers = new Map<symbol, { user: User; send: (event: LiveEvent) => void }>()
  readonly #pending = new Map<AnnouncementKind, Set<string>>()
  readonly #buffer = new ReplayBuffer()
  #timer: NodeJS.Timeout | undefined

  constructor(db: Db, log: Logger) {
    this.#db = db
    this.#log = log
  }

  /** Tells every instance of a change, if and when the given transaction commits. */
  async announce(db: Db, announcement: Announcement): Promise<void> {
    await notify(db, 'lodge_live', JSON.stringify(announcement))
  }

  register(kind: AnnouncementKind, loader: LiveLoader): void {
    this.#loaders.set(kind, loader)
  }

  get viewers(): number {
    return this.#viewers.size
  }

  /**
   * @param lastEventId what the browser saw last, to be told what it missed
   * @returns how to end the subscription
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
    return () => this.#viewers.delete(key)
  }

  /** An announcement of any instance has arrived. */
  heard(announcement: Announcement): void {
    const ids = this.#pending.get(announcement.kind) ?? new Set()
    this.#pending.set(announcement.kind, ids.add(announcement.id))
    this.#timer ??= setTimeout(() => void this.#tell(), COALESCE_MS)
  }

  /** The line to PostgreSQL was lost, so announcements may be missing: everyone loads afresh. */
  resetAll(): void {
    const event = this.#buffer.reset(this.instanceId)
    for (const { send } of this.#viewers.values()) send(event)
  }

  async #tell(): Promise<void> {
    this.#timer = undefined
    const pending = [...this.#pending]
    this.#pending.clear()
    for (const [kind, ids] of pending) {
      try {
        const loaded = (await this.#loaders.get(kind)?.(this.#db, [...ids])) ?? []
        for (const one of loaded) this.#send(one)
      } catch (error) {
        this.#log.warn({ err: error, kind }, 'could not load a change, open panels load afresh')
        this.resetAll()
      }
    }
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
  return permission !== undefined && holds(user, permission)
}
