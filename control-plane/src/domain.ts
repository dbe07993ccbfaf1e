import { LANGUAGES } from '@lodge/shared/words/languages.ts'
import type { System } from './actor.ts'
import { type Answer, Answers } from './answers.ts'
import { ActionCatalogue, type ActionWords } from './audit/words.ts'
import type { Area, Catalogue } from './catalogue.ts'
import type { Ctx } from './context.ts'
import type { TablePrivileges } from './db/application-role.ts'
import type { Db } from './db/database.ts'
import type { EventHandlers } from './events/events.ts'
import type { Letters, Mail, MailTranslations } from './events/mails.ts'
import type { NoticeRule, Notices, NoticeType, NoticeTypes } from './events/notices.ts'
import type { Records } from './events/records.ts'
import type { Figures } from './figures/figures.ts'
import type { Budget } from './http/budgets.ts'
import type { PageKind } from './http/dress.ts'
import type { Declared } from './http/endpoint.ts'
import type { ApiHeading } from './http/reference/api-headings.ts'
import type { ServedPages } from './http/served-page.ts'
import type { Upgrade } from './http/upgrade.ts'
import type { PeriodicTask } from './jobs/periodic-task.ts'
import type { SagaCatalogue } from './jobs/worker.ts'
import type { LiveSources } from './live/live-events.ts'
import type { Services } from './services.ts'

export type Endpoints = Readonly<Record<string, Declared>>
type AnySaga = SagaCatalogue extends ReadonlyMap<string, infer Saga> ? Saga : never
/** Runs in the background while Lodge is already serving; awaited on stop. */
type Background = () => Promise<unknown>

/**
 * Everything one part of the control plane contributes. What Lodge serves and runs is the union of
 * these declarations (`modules.ts`); a domain is not mentioned anywhere else.
 */
export interface Domain<Routes extends readonly Endpoints[] = readonly Endpoints[]> {
  readonly name: string
  /** Modules that declare its endpoints. */
  readonly routes: Routes
  /** Headings of the API reference. */
  readonly headings?: readonly ApiHeading[]
  /** Wording of audit actions that are not requests; a request is worded by its endpoint. */
  readonly actions?: Readonly<Record<string, ActionWords | string>>
  /** Areas of settings whose origin the panel shows. */
  readonly settings?: readonly Area<object>[]
  /** WebSocket endpoints, by path. */
  readonly upgrades?: Readonly<Record<string, (services: Services) => Upgrade>>
  readonly sagas?: readonly AnySaga[]
  /** A task that keeps state between runs is a factory, called once per control plane. */
  readonly periodic?: readonly (PeriodicTask | (() => PeriodicTask))[]
  /** Tables that the application may not freely change. */
  readonly privileges?: readonly TablePrivileges[]
  /** Listeners for events of the domains below, run in the emitting transaction. */
  readonly listeners?: EventHandlers | ((catalogue: Catalogue) => EventHandlers)
  /** Which of its events become notifications. */
  readonly notifications?: Notices
  /** The types of its notifications, to which people subscribe their channels. */
  readonly notificationTypes?: NoticeTypes
  /** Which of its events are recorded in the audit log; `actions` words them. */
  readonly records?: Records
  /** Kinds of mail with their built-in wording. */
  readonly mails?: readonly Mail[]
  /** The wording of its mails in other languages. */
  readonly mailTranslations?: MailTranslations
  /** Which of its events send mail. */
  readonly letters?: Letters
  /** What it shows to Prometheus. */
  readonly figures?: Figures
  /** Rate limits of its endpoints and rules. */
  readonly budgets?: Readonly<Record<string, Budget>>
  /** Answers to questions declared by domains below. */
  readonly answers?: readonly Answer[]
  /** What open panels receive for its announcements. */
  readonly live?: (services: Services) => LiveSources
  /** What it changes in a page before it is sent. */
  readonly page?: (services: Services, html: string, kind: PageKind) => Promise<string>
  /** Pages that it serves itself, outside the panel. */
  readonly served?: (services: Services) => ServedPages
  /** Creates what agents depend on, as soon as the fleet port is open. */
  prepare?(db: Db): Promise<unknown>
  /** Creates what must exist before the first request; the returned work runs in the background. */
  start?(ctx: Ctx<System>): Promise<Background | void>
}

/** Declares a domain or a part of the kernel in one literal. Only the name is required. */
export const defineDomain = <const Routes extends readonly Endpoints[] = readonly []>(
  domain: Omit<Domain<Routes>, 'routes'> & { readonly routes?: Routes },
): Domain<Routes> => ({ ...domain, routes: domain.routes ?? ([] as unknown as Routes) })

type Both<Union> = (Union extends unknown ? (one: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never
type Flat<T> = { [Key in keyof T]: T[Key] }
/** The endpoints of several domains, by name. */
export type RoutesOf<Domains extends readonly Domain[]> = Flat<
  Both<Domains[number]['routes'][number]>
>

/** @throws if two endpoints share a name: it is their id in the published description */
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

/**
 * Every kind of mail.
 * @throws if two share an id: it is the id of the edited wording
 */
export function mailsOf(domains: readonly Domain[]): readonly Mail[] {
  const mails = domains.flatMap(({ mails = [] }) => mails)
  requireUnique(
    'mail',
    mails.map(({ id }) => id),
  )
  return mails
}

/** The wording of all mails in other languages than English. */
const mailTranslationsOf = (domains: readonly Domain[]): MailTranslations =>
  Object.fromEntries(
    LANGUAGES.map((language) => [
      language,
      Object.assign({}, ...domains.map((domain) => domain.mailTranslations?.[language])),
    ]),
  )

/** @throws if two rate limits share a name: it begins their keys in the database */
export function checkBudgets(domains: readonly Domain[]): void {
  requireUnique(
    'budget',
    domains.flatMap(({ budgets = {} }) => Object.keys(budgets)),
  )
}

/** @throws if a name occurs twice */
function requireUnique(what: string, names: readonly string[]): void {
  const twice = names.find((name, at) => names.indexOf(name) < at)
  if (twice !== undefined) throw new Error(`Two domains declare the ${what} ${twice}`)
}

/**
 * What the domains declare for events, by event.
 * @throws if two declare the same event: it belongs to one
 */
function unionOf<Key extends 'notifications' | 'records' | 'letters'>(
  key: Key,
  domains: readonly Domain[],
): NonNullable<Domain[Key]> {
  const declared = domains.flatMap((domain) => Object.entries(domain[key] ?? {}))
  requireUnique(
    `event in ${key}`,
    declared.map(([event]) => event),
  )
  return Object.fromEntries(declared)
}

/**
 * The types of notifications, by name.
 * @throws if two domains declare the same, or a notification is of none of them
 */
function noticeTypesOf(domains: readonly Domain[]): ReadonlyMap<string, NoticeType> {
  const types = domains.flatMap((domain) => Object.entries(domain.notificationTypes ?? {}))
  requireUnique(
    'type of notification',
    types.map(([name]) => name),
  )
  const known = new Map(types)
  const rules = domains.flatMap(({ notifications = {} }) =>
    Object.values(notifications as Readonly<Record<string, readonly NoticeRule<never>[]>>).flat(),
  )
  const undeclared = rules.find(({ type }) => !known.has(type))
  if (undeclared) throw new Error(`Declare ${undeclared.type} in notificationTypes of its domain`)
  return known
}

/** Collects what the domains declare into one catalogue. */
export function catalogueOf(domains: readonly Domain[]): Catalogue {
  const endpoints = Object.values<Declared>(routesOf(domains))
  checkBudgets(domains)
  return {
    actions: new ActionCatalogue([
      ...domains.flatMap(({ actions = {} }) => Object.entries(actions)),
      ...endpoints.flatMap(({ method, path, recorded }) =>
        recorded ? [[`${method} ${path}`, recorded] as const] : [],
      ),
    ]),
    settings: domains.flatMap(({ settings = [] }) => settings),
    answers: new Answers(domains.flatMap(({ answers = [] }) => answers)),
    notices: unionOf('notifications', domains),
    noticeTypes: noticeTypesOf(domains),
    records: unionOf('records', domains),
    mails: new Map(mailsOf(domains).map((mail) => [mail.id, mail])),
    mailTranslations: mailTranslationsOf(domains),
    letters: unionOf('letters', domains),
  }
}

/** What all domains show to Prometheus. */
export const figuresOf = (domains: readonly Domain[]): Figures[] =>
  domains.flatMap(({ figures = [] }) => figures)

/** All event listeners, bottom to top. */
export const listenersOf = (domains: readonly Domain[], catalogue: Catalogue): EventHandlers[] =>
  domains.flatMap(({ listeners = [] }) =>
    typeof listeners === 'function' ? listeners(catalogue) : listeners,
  )
