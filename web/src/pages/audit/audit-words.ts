import { said } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import type { AuditEntry } from './audit-entry.ts'
import { t } from './words.ts'

export const actorName = ({ kind, email }: AuditEntry['actor']): string =>
  kind === 'system' ? t.panel : (email ?? t.deletedAccount)

/** The action of an entry, phrased to follow the name of the actor. */
export const whatOf = ({ what }: Pick<AuditEntry, 'what'>): string => said(what)

/** Pages of the objects of entries, by the beginning of the endpoint. */
const PAGES = {
  '/api/servers': paths.server,
  '/api/nodes': paths.node,
  '/api/customers': paths.customer,
  '/api/templates': paths.template,
  '/api/plans': paths.plan,
} as const

/** The page of an entry's object; undefined if there is none, or no longer. */
export function pageOf({ action, targetId }: Pick<AuditEntry, 'action' | 'targetId'>) {
  const [method, path = ''] = action.split(' ')
  const found = Object.entries(PAGES).find(([beginning]) => path.startsWith(beginning))
  if (targetId === null || !found) return undefined
  const [beginning, to] = found
  // The object itself was removed.
  if (method === 'DELETE' && path === `${beginning}/{id}`) return undefined
  return { to, id: targetId }
}

/** A sentence split around the name of its object. */
export interface Cut {
  readonly before: string
  readonly name: string
  readonly after: string
}

/** Splits a sentence around the last occurrence of the name of its object. */
export function cutAround(what: string, name: unknown): Cut | undefined {
  if (typeof name !== 'string' || name === '') return undefined
  const at = what.lastIndexOf(name)
  if (at < 0) return undefined
  return { before: what.slice(0, at), name, after: what.slice(at + name.length) }
}

/** One field of a change. */
export interface Change {
  readonly field: string
  /** Undefined where the entry does not contain it. */
  readonly before: string | undefined
  readonly after: string
}

/** The fields that a change set, with their former values where those were recorded. */
export function changesOf({ detail }: Pick<AuditEntry, 'detail'>): readonly Change[] {
  const body = fieldsOf(detail.body)
  const before = fieldsOf(detail.before)
  return Object.entries(body).map(([field, value]) => ({
    field,
    before: field in before ? textOf(before[field]) : undefined,
    after: textOf(value),
  }))
}

const fieldsOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return t.noValue
  if (typeof value === 'string') return value
  if (value === true) return t.yes
  if (value === false) return t.no
  return JSON.stringify(value)
}

/** Entries of one day in the reader's time zone, in their order. */
export function byDay(
  entries: readonly AuditEntry[],
  dayOf: (at: string) => string,
): readonly { readonly day: string; readonly entries: readonly AuditEntry[] }[] {
  return [...Map.groupBy(entries, ({ at }) => dayOf(at))].map(([day, group]) => ({
    day,
    entries: group,
  }))
}
