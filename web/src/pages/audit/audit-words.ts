import { said } from '../../panel/said.ts'
import { paths } from '../../paths.ts'
import type { AuditEntry } from './audit-entry.ts'
import { t } from './words.ts'

export const actorName = ({ kind, email }: AuditEntry['actor']): string =>
  kind === 'system' ? t.panel : (email ?? t.deletedAccount)

/** What was done, phrased to follow the name of who did it. */
export const whatOf = ({ what }: Pick<AuditEntry, 'what'>): string => said(what)

/** Pages of the things that entries are about, by the beginning of the endpoint. */
const PAGES = {
  '/api/servers': paths.server,
  '/api/nodes': paths.node,
  '/api/customers': paths.customer,
  '/api/templates': paths.template,
  '/api/plans': paths.plan,
} as const

/** The page of what an entry is about; undefined where there is none, or no more. */
export function pageOf({ action, targetId }: Pick<AuditEntry, 'action' | 'targetId'>) {
  const [method, path = ''] = action.split(' ')
  const found = Object.entries(PAGES).find(([beginning]) => path.startsWith(beginning))
  if (targetId === null || !found) return undefined
  const [beginning, to] = found
  // The thing itself was removed.
  if (method === 'DELETE' && path === `${beginning}/{id}`) return undefined
  return { to, id: targetId }
}

/** A sentence cut around the name of what it is about. */
export interface Cut {
  readonly before: string
  readonly name: string
  readonly after: string
}

/** Cuts what was done around the name of its object, the last time it occurs. */
export function cutAround(what: string, name: unknown): Cut | undefined {
  if (typeof name !== 'string' || name === '') return undefined
  const at = what.lastIndexOf(name)
  if (at < 0) return undefined
  return { before: what.slice(0, at), name, after: what.slice(at + name.length) }
}

/** One field of a change. */
export interface Change {
  readonly field: string
  /** Undefined where the record does not say. */
  readonly before: string | undefined
  readonly after: string
}

/** What a change set, with what the fields were before it where that was recorded. */
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
