import type { System } from './actor.ts'
import { type Answer, Answers } from './answers.ts'
import { ActionCatalogue, type ActionWords } from './audit/words.ts'
import type { Area, Catalogue } from './catalogue.ts'
import type { Ctx } from './context.ts'
import type { TablePrivileges } from './db/application-role.ts'
import type { Db } from './db/database.ts'
import type { EventHandlers } from './events/events.ts'
import type { Notices } from './events/notices.ts'
import type { ApiHeading } from './http/api-headings.ts'
import type { Declared } from './http/endpoint.ts'
import type { Upgrade } from './http/upgrade.ts'
import type { PeriodicTask } from './jobs/periodic-task.ts'
import type { SagaCatalogue } from './jobs/worker.ts'
import type { LiveSources } from './live/live-events.ts'
import type { Services } from './services.ts'

export type Endpoints = Readonly<Record<string, Declared>>
type AnySaga = SagaCatalogue extends ReadonlyMap<string, infer Saga> ? Saga : never
/** Goes on in the background while Lodge serves already; waited for when it stops. */
type Background = () => Promise<unknown>

/**
 * All that one part of the control plane adds to the whole. What Lodge serves, runs and tells is the sum
 * of these declarations (`modules.ts`): nothing of a domain is named anywhere else.
 */
export interface Domain<Routes extends readonly Endpoints[] = readonly Endpoints[]> {
  readonly name: string
  /** The modules that declare its endpoints. */
  readonly routes: Routes
  /** Headings of the API reference. */
  readonly headings?: readonly ApiHeading[]
  /** What it records beside requests, in words; what a request did is said by its endpoint. */
  readonly actions?: Readonly<Record<string, ActionWords | string>>
  /** Areas of settings of which the panel shows where each comes from. */
  readonly settings?: readonly Area<object>[]
  /** Paths at which browsers open WebSockets. */
  readonly upgrades?: Readonly<Record<string, (services: Services) => Upgrade>>
  readonly sagas?: readonly AnySaga[]
  /** One that remembers something between its runs is made anew for each control plane. */
  readonly periodic?: readonly (PeriodicTask | (() => PeriodicTask))[]
  /** Of tables that the application may not change at will. */
  readonly privileges?: readonly TablePrivileges[]
  /** What it does about events of the domains below, in the transaction in which they happen. */
  readonly listeners?: EventHandlers | ((catalogue: Catalogue) => EventHandlers)
  /** What reaches inboxes of what it tells. */
  readonly notifications?: Notices
  /** What domains below have to know of its tables. */
  readonly answers?: readonly Answer[]
  /** What open panels are told when something of this kind was announced. */
  readonly live?: (services: Services) => LiveSources
  /** Makes sure of what agents need as soon as the fleet's port is open. */
  prepare?(db: Db): Promise<unknown>
  /** Makes sure of what must be there before the first request; what it answers need not be waited for. */
  start?(ctx: Ctx<System>): Promise<Background | void>
}

/** Declares a domain, or a part of the kernel, in one literal. Everything but the name may be missing. */
export const defineDomain = <const Routes extends readonly Endpoints[] = readonly []>(
  domain: Omit<Domain<Routes>, 'routes'> & { readonly routes?: Routes },
): Domain<Routes> => ({ ...domain, routes: domain.routes ?? ([] as unknown as Routes) })

type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never
type Flat<T> = { [Key in keyof T]: T[Key] }
/** The endpoints of several domains, each by its name. */
export type RoutesOf<Domains extends readonly Domain[]> = Flat<
  Both<Domains[number]['routes'][number]>
>

/** @throws where two endpoints have one name: it is their id in the published description */
export function routesOf<const Domains extends readonly Domain[]>(
  domains: Domains,
): RoutesOf<Domains> {
  const routes: Record<string, Declared> = {}
  for (const domain of domains)
    for (const [name, endpoint] of domain.routes.flatMap(Object.entries<Declared>)) {
      if (name in routes)
        throw new Error(`Two endpoints are called ${name}: rename that of ${domain.name}`)
      routes[name] = endpoint
    }
  return routes as RoutesOf<Domains>
}

/** The sums that parts of Lodge tell of all others by. */
export function catalogueOf(domains: readonly Domain[]): Catalogue {
  const endpoints = Object.values<Declared>(routesOf(domains))
  return {
    actions: new ActionCatalogue([
      ...domains.flatMap(({ actions = {} }) => Object.entries(actions)),
      ...endpoints.flatMap(({ method, path, recorded }) =>
        recorded ? [[`${method} ${path}`, recorded] as const] : [],
      ),
    ]),
    settings: domains.flatMap(({ settings = [] }) => settings),
    answers: new Answers(domains.flatMap(({ answers = [] }) => answers)),
    notices: Object.assign({}, ...domains.map(({ notifications }) => notifications)),
  }
}

/** Who hears of what happens, the lower parts first. */
export const listenersOf = (domains: readonly Domain[], catalogue: Catalogue): EventHandlers[] =>
  domains.flatMap(({ listeners = [] }) =>
    typeof listeners === 'function' ? listeners(catalogue) : listeners,
  )
