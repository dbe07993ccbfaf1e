/** What the query part of an address may hold. Anything else in it is dropped. */

type Raw = Record<string, unknown>

const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== ''
    ? value
    : typeof value === 'number'
      ? String(value)
      : undefined

/** Only the fields that have a value, so that addresses stay short. */
function given<T extends object>(fields: T): Partial<{ [K in keyof T]: Exclude<T[K], undefined> }> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Partial<{ [K in keyof T]: Exclude<T[K], undefined> }>
}

export const nextSearch = (raw: Raw) => given({ next: text(raw.next) })
export const pageSearch = (raw: Raw) => given({ after: text(raw.after) })
export const listSearch = (raw: Raw) => given({ q: text(raw.q), after: text(raw.after) })
const RELATIONS = ['own', 'shared'] as const
export const serversSearch = (raw: Raw) =>
  given({
    q: text(raw.q),
    status: text(raw.status),
    node: text(raw.node),
    relation: RELATIONS.find((relation) => relation === raw.relation),
    after: text(raw.after),
  })
export const newServerSearch = (raw: Raw) =>
  given({
    template: text(raw.template),
    owner: text(raw.owner),
    kind: raw.kind === 'vm' ? ('vm' as const) : undefined,
  })

const RANGES = ['hour', 'day', 'week', 'quarter'] as const
export type Range = (typeof RANGES)[number]
export const metricsSearch = (raw: Raw) =>
  given({ range: RANGES.find((range) => range === raw.range) })

export const inboxSearch = (raw: Raw) =>
  given({ unread: raw.unread === true || undefined, after: text(raw.after) })
const MAIL_STATES = ['queued', 'sent', 'failed'] as const
export const outboxSearch = (raw: Raw) =>
  given({ state: MAIL_STATES.find((state) => state === raw.state), after: text(raw.after) })
export const auditSearch = (raw: Raw) =>
  given({
    actor: text(raw.actor),
    target: text(raw.target),
    q: text(raw.q),
    looks: raw.looks === true || undefined,
    from: text(raw.from),
    to: text(raw.to),
    after: text(raw.after),
  })
