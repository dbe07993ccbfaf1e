import type { ShownLink } from '@lodge/shared/accounts.ts'
import type { EgressPolicy } from '@lodge/shared/egress/egress.ts'
import type { AdminPermission, TokenScope } from '@lodge/shared/permissions.ts'
import type { Logger } from 'pino'
import type { AuditHead } from './audit/head.ts'
import type { Catalogue } from './catalogue.ts'
import type { Variable } from './config.ts'
import { type Db, inOneTransaction } from './db/database.ts'
import type { EventCatalogue, EventName } from './events/catalogue.ts'
import type { EventBus } from './events/events.ts'
import type { Fleet } from './fleet/fleet.ts'
import type { AddressGuard } from './http/address-guard.ts'
import type { JobAuthority } from './jobs/authority.ts'
import type { JobQueue } from './jobs/queue.ts'
import type { LiveEvents } from './live/live-events.ts'
import type { Vault } from './secrets/vault.ts'
import type { Storage } from './storage.ts'

export interface Anyone {
  readonly kind: 'anyone'
  readonly address: string
}
export interface User {
  readonly kind: 'user'
  readonly id: string
  readonly email: string
  readonly address: string
  readonly sessionId: string
  readonly role: 'admin' | 'customer'
  readonly superAdmin: boolean
  readonly permissions: ReadonlySet<AdminPermission>
  /** When this session last showed who it is; absent for API tokens. */
  readonly provedAt?: Date | null
  /** An administrator whose time to set up a second factor is over: nothing else opens. */
  readonly mustSetUpFactor?: boolean
  /** The account is suspended: nothing opens but what says so. */
  readonly suspended?: boolean
  /** An administrator at an address from which administrators may not work. */
  readonly barred?: true
  /** Given for an API token, which reaches nothing outside them; absent for a browser session. */
  readonly scopes?: ReadonlySet<TokenScope>
}
export interface Agent {
  readonly kind: 'agent'
  readonly nodeId: string
}
export interface System {
  readonly kind: 'system'
  /** Of a saga: the rights that its job was given. Periodic tasks have none of their own. */
  readonly authority?: JobAuthority
}
export type Actor = Anyone | User | Agent | System

/** What lives as long as the process and rules may use. */
export interface Services {
  readonly db: Db
  readonly fleet: Fleet
  readonly jobs: JobQueue
  readonly live: LiveEvents
  readonly vault: Vault
  /** The end of the record of changes, kept outside of the database. */
  readonly auditHead: AuditHead
  readonly events: EventBus
  readonly catalogue: Catalogue
  readonly guard: AddressGuard
  /** Where beyond the public internet it may connect to. */
  readonly egress: EgressPolicy
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

/** Everything a rule may touch: who asks, what time it is, and the open transaction. */
export interface Ctx<A extends Actor = Actor> extends Services {
  readonly actor: A
  readonly now: Date
  /**
   * Takes the link of a mail that nothing can send, for whoever made this request to pass on. Absent where
   * the request is not answered with one.
   */
  readonly handOver?: ((link: ShownLink) => void) | undefined
  /** Runs `work` in one transaction; inside one already, joins it. */
  transaction<T>(work: (ctx: Ctx<A>) => Promise<T>): Promise<T>
  /** Tells the domains above of what happens; what they do about it is part of this transaction. */
  emit<N extends EventName>(name: N, payload: EventCatalogue[N]): Promise<void>
}

export function contextFor<A extends Actor>(
  services: Services,
  actor: A,
  handOver?: (link: ShownLink) => void,
): Ctx<A> {
  const within = (db: Db, nested: boolean): Ctx<A> => {
    const ctx: Ctx<A> = {
      ...services,
      db,
      actor,
      handOver,
      now: new Date(),
      transaction: (work) =>
        nested ? work(within(db, true)) : inOneTransaction(db, (tx) => work(within(tx, true))),
      emit: (name, payload) => services.events.emit(ctx, name, payload),
    }
    return ctx
  }
  return within(services.db, false)
}

export const isAdmin = (actor: Actor): actor is User =>
  actor.kind === 'user' && actor.role === 'admin'

/** Whether an administrator holds a permission; the super administrator holds all. */
export const hasPermission = (
  actor: Pick<User, 'role' | 'superAdmin' | 'permissions'>,
  permission: AdminPermission,
): boolean => actor.role === 'admin' && (actor.superAdmin || actor.permissions.has(permission))
