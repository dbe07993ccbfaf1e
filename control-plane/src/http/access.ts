import type { AdminPermission, TokenScope } from '@lodge/shared/permissions.ts'
import type { OpenToSuspended } from '@lodge/shared/restriction.ts'
import type { Agent, Anyone, User } from '../actor.ts'
import type { Ctx } from '../context.ts'
import type { Db } from '../db/database.ts'
import type { Budget } from './budgets.ts'

/**
 * The resource named in a path. One the caller may not see answers 404, exactly like a missing one.
 */
export interface Resource<Name extends string, Thing, May extends string> {
  readonly name: Name
  /** The owner may share it, so people other than owner and host may have access. */
  readonly shared?: true
  readonly loads: (ctx: Ctx, id: string) => Promise<Thing | undefined>
  /** For a server or something belonging to one: the server whose activity includes it. */
  serverIdOf?(thing: Thing): string
  /** Whether this person may do `may`; `undefined` asks whether they may know that it exists. */
  permits(actor: User, thing: Thing, may: May | undefined): boolean
}

interface Throttled {
  readonly throttle?: Budget
}
interface Piecemeal {
  /** One piece of a change that was counted at its start, e.g. of an upload; not counted again. */
  readonly pieces?: true
}
interface Guarded {
  /**
   * Requires step-up within the last ten minutes, because a hijacked session could do damage here.
   */
  readonly stepUp?: true
  /** Requires step-up only for some bodies; evaluated before anything is loaded. */
  readonly stepUpWhen?: (body: unknown) => boolean
}
interface Tokened {
  /** The API token scope that opens the endpoint; without it, tokens are refused. */
  readonly token?: TokenScope
  /** Restricts the bodies a token may send; evaluated before anything is loaded. */
  readonly tokenWhen?: (body: unknown) => boolean
}

/** Resource and permission types are inferred per endpoint. */
type AnyResource = Resource<string, unknown, string>

/**
 * Who may call an endpoint. Plain data, so that routes, access matrix and tests read the same
 * policy.
 */
export type Access =
  | ({
      readonly who: 'anyone'
      /**
       * Whether the host offers it at all; otherwise it answers like an address of nothing, before
       * anything else is looked at.
       */
      readonly offered?: (db: Db) => Promise<boolean>
    } & Throttled)
  | ({
      readonly who: 'user'
      readonly on?: AnyResource
      readonly may?: string
      /** The path names something of the caller's own; anything else does not exist there. */
      readonly own?: true
      /** The id may be `new`, of something that does not exist yet; nothing is loaded then. */
      readonly orNew?: true
      /** For endpoints of signed-in users that only the host may use: customers get 403. */
      readonly admin?: AdminPermission
      /** Open to administrators who have not set up their second factor yet. */
      readonly settingUp?: true
      /** Open to suspended accounts, or to some of them. */
      readonly whileSuspended?: OpenToSuspended
      /** The only changes allowed while viewing as a customer: those that end the viewing. */
      readonly whileViewing?: true
      /** Returns secrets or console output, which an administrator who views as a customer must not read. */
      readonly hiddenFromViewers?: true
    } & Throttled &
      Piecemeal &
      Guarded &
      Tokened)
  | ({
      readonly who: 'admin'
      readonly on?: AnyResource
      readonly may: AdminPermission
    } & Throttled &
      Piecemeal &
      Guarded &
      Tokened)
  | ({ readonly who: 'agent' } & Throttled)

/** A user may only be granted a permission that the resource declares. */
export type Known<A> = A extends { who: 'user'; on: Resource<string, infer _, infer May> }
  ? { readonly may?: May }
  : unknown

/**
 * Whether an administrator who views as a customer may call it: reads that return no secret. Every
 * other method is refused unless its declaration allows it.
 */
export function isOpenToViewers(spec: {
  readonly method: string
  readonly access: Access
  readonly shownOnce?: boolean
}): boolean {
  const { method, access, shownOnce } = spec
  const forUsers = access.who === 'user' ? access : undefined
  if (method !== 'GET') return forUsers?.whileViewing === true
  return !shownOnce && !forUsers?.hiddenFromViewers
}

interface Callers {
  anyone: Anyone
  user: User
  admin: User
  agent: Agent
}
export type CallerOf<A> = A extends { who: infer Who extends keyof Callers } ? Callers[Who] : never
export type LoadedBy<A> = A extends { readonly on: Resource<infer Name, infer Thing, string> }
  ? { readonly [K in Name]: Thing }
  : object
