import type { AdminPermission, TokenScope } from '@lodge/shared/permissions.ts'
import type { Agent, Anyone, User } from '../actor.ts'
import type { Ctx } from '../context.ts'
import type { Budget } from './budgets.ts'

/** The thing a path is about. What the caller may not see answers 404, exactly like what does not exist. */
export interface Resource<Name extends string, Thing, May extends string> {
  readonly name: Name
  /** Its owner may share it: people who are neither owner nor host meet it too. */
  readonly shared?: true
  readonly loads: (ctx: Ctx, id: string) => Promise<Thing | undefined>
  /** Of a thing that is a server, or belongs to one: whose part of the record tells of it, too. */
  serverIdOf?(thing: Thing): string
  /** Whether this person may do `may`; `undefined` asks whether they may know of the thing at all. */
  permits(actor: User, thing: Thing, may: May | undefined): boolean
}

interface Throttled {
  readonly throttle?: Budget
}
interface Piecemeal {
  /** One of many pieces of what was begun by a counted change, e.g. of an upload: not counted again. */
  readonly pieces?: true
}
interface Guarded {
  /** Dangerous in wrong hands: the session must have shown who it is within the last ten minutes. */
  readonly stepUp?: true
  /** Narrows that to some bodies, decided before anything is loaded. */
  readonly stepUpWhen?: (body: unknown) => boolean
}
interface Tokened {
  /** The scope with which an API token reaches the endpoint; without it tokens are refused. */
  readonly token?: TokenScope
  /** Narrows what a token may send here, decided before anything is loaded. */
  readonly tokenWhen?: (body: unknown) => boolean
}

/** What is loaded, and what may be asked of it, is inferred per endpoint. */
type AnyResource = Resource<string, unknown, string>

/** Who reaches an endpoint: plain data, so that routes, matrix and tests read the same policy. */
export type Access =
  | ({ readonly who: 'anyone' } & Throttled)
  | ({
      readonly who: 'user'
      readonly on?: AnyResource
      readonly may?: string
      /** What the path names is the caller's own; what is anybody else's does not exist there. */
      readonly own?: true
      /** A row for signed-in users whose function is the host's: customers get 403. */
      readonly admin?: AdminPermission
      /** Open to administrators who still have to set up their second factor. */
      readonly settingUp?: true
      /** Open to suspended accounts. */
      readonly whileSuspended?: true
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

/** A user may only be asked for a permission that the resource knows. */
export type Known<A> = A extends { who: 'user'; on: Resource<string, infer _, infer May> }
  ? { readonly may?: May }
  : unknown

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
