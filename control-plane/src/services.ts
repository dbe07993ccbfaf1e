import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'
import type { Logger } from 'pino'
import type { AuditHead } from './audit/head.ts'
import type { Blobs } from './blobs/blobs.ts'
import type { Catalogue } from './catalogue.ts'
import type { Variable } from './config.ts'
import type { Db } from './db/database.ts'
import type { EventBus } from './events/event-bus.ts'
import type { Fleet } from './fleet/fleet.ts'
import type { AddressGuard } from './http/address-guard.ts'
import type { JobQueue } from './jobs/queue.ts'
import type { LiveEvents } from './live/live-events.ts'
import type { Vault } from './secrets/vault.ts'
import type { Storage } from './storage.ts'

/** What lives as long as the process and rules may use. */
export interface Services {
  readonly db: Db
  readonly fleet: Fleet
  readonly jobs: JobQueue
  readonly live: LiveEvents
  readonly vault: Vault
  /** The end of the record of changes, kept outside of the database. */
  readonly auditHead: AuditHead
  /** Spoken to by `Ctx.emit` only, which knows what its listeners are given. */
  readonly events: EventBus<never>
  readonly catalogue: Catalogue
  readonly guard: AddressGuard
  /** Where beyond the public internet it may connect to. */
  readonly egress: EgressPolicy
  /** Files that are too large for the database. */
  readonly blobs: Blobs
  /** Where files of media are kept, and how much they may take. */
  readonly media: { readonly folder: string; readonly limitBytes: number }
  /** What was given by the environment, which nobody changes while it runs. */
  readonly variables: readonly Variable[]
  /** What a solved captcha has to be like; undefined where nobody said. */
  readonly captcha: {
    /** Asked instead of the provider's own address. */
    readonly address: string | undefined
    /** Of the page that it was solved on. */
    readonly hostname: string | undefined
  }
  /** The disk that this instance keeps its data on. */
  readonly storage: Storage
  /** Why it may do more in the database than it has to, for an operator; undefined when it may not. */
  readonly databaseConcern: string | undefined
  /** Address of the panel, without a slash at the end: the only one that links are made from. */
  readonly panelUrl: string
  readonly log: Logger
}
