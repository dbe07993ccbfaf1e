import {
  COMPONENT_SOURCES,
  HEALTHS,
  IMPACTS,
  INCIDENT_STATES,
  type IncidentState,
  MINUTE_STATES,
} from '@lodge/shared/status.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { bytea, moment } from '../../db/columns.ts'

/** The components of the status page. */
export const statusComponents = pgTable(
  'status_components',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    description: text('description').notNull(),
    source: text('source', { enum: COMPONENT_SOURCES }).notNull(),
    location: text('location'),
    /** For a `manual` one: the state that a person set. */
    health: text('health', { enum: HEALTHS }).notNull().default('operational'),
    shown: boolean('shown').notNull(),
    position: integer('position').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('status_components_location').on(table.location),
    check(
      'status_components_source',
      sql`(${table.source} = 'location') = (${table.location} is not null)`,
    ),
  ],
)
export type ComponentRow = typeof statusComponents.$inferSelect

/**
 * Runs of consecutive recorded minutes of a component in the same state. Minutes in no row were not
 * measured.
 */
export const statusSpans = pgTable(
  'status_spans',
  {
    componentId: uuid('component_id')
      .notNull()
      .references(() => statusComponents.id, { onDelete: 'cascade' }),
    from: moment('from').notNull(),
    until: moment('until').notNull(),
    state: text('state', { enum: MINUTE_STATES }).notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.componentId, table.from] }),
    index('status_spans_until').on(table.until),
    check('status_spans_order', sql`${table.from} < ${table.until}`),
  ],
)
export type SpanRow = typeof statusSpans.$inferSelect

/**
 * The time up to which minutes are recorded: only the transaction that advances it records the
 * minute.
 */
export const statusClock = pgTable('status_clock', {
  id: smallint('id').primaryKey(),
  recordedUntil: moment('recorded_until').notNull(),
  /** Since when no minute was left out: earlier, the nodes may not have been observed. */
  unbrokenSince: moment('unbroken_since').notNull(),
})

/** Incidents, and maintenance that is planned. */
export const statusIncidents = pgTable(
  'status_incidents',
  {
    id: uuid('id').primaryKey(),
    kind: text('kind', { enum: ['incident', 'maintenance'] }).notNull(),
    title: text('title').notNull(),
    /** For an incident; the state of maintenance follows from its times. */
    state: text('state', { enum: INCIDENT_STATES }),
    impact: text('impact', { enum: IMPACTS }),
    startsAt: moment('starts_at').notNull(),
    /** For maintenance: its planned end. */
    endsAt: moment('ends_at'),
    /** When an incident was resolved, or maintenance ended early or was cancelled. */
    endedAt: moment('ended_at'),
    /** Maintenance that was cancelled before it began, or aborted. */
    cancelled: boolean('cancelled').notNull().default(false),
    announced: boolean('announced').notNull(),
    /** Null: a draft. */
    publishedAt: moment('published_at'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('status_incidents_starts').on(table.startsAt, table.id),
    check(
      'status_incidents_kind',
      sql`(${table.kind} = 'incident') = (${table.state} is not null)
        and (${table.kind} = 'incident') = (${table.impact} is not null)
        and (${table.kind} = 'maintenance') = (${table.endsAt} is not null)`,
    ),
    check('status_incidents_times', sql`${table.startsAt} < ${table.endsAt}`),
  ],
)
export type IncidentRow = typeof statusIncidents.$inferSelect

export const statusIncidentComponents = pgTable(
  'status_incident_components',
  {
    incidentId: uuid('incident_id')
      .notNull()
      .references(() => statusIncidents.id, { onDelete: 'cascade' }),
    componentId: uuid('component_id')
      .notNull()
      .references(() => statusComponents.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.incidentId, table.componentId] }),
    index('status_incident_components_component').on(table.componentId),
  ],
)

export const statusUpdates = pgTable(
  'status_updates',
  {
    id: uuid('id').primaryKey(),
    incidentId: uuid('incident_id')
      .notNull()
      .references(() => statusIncidents.id, { onDelete: 'cascade' }),
    state: text('state').$type<IncidentState>().notNull(),
    body: text('body').notNull(),
    at: moment('at').notNull(),
  },
  (table) => [index('status_updates_incident').on(table.incidentId, table.id)],
)
export type UpdateRow = typeof statusUpdates.$inferSelect

/** Addresses that asked for mail, each confirmed by the link that was mailed to it. */
export const statusSubscribers = pgTable(
  'status_subscribers',
  {
    id: uuid('id').primaryKey(),
    address: text('address').notNull(),
    /**
     * The language of the page at the time of the subscription; null, from before this was stored,
     * means English.
     */
    language: text('language').$type<Language>(),
    confirmHash: bytea('confirm_hash'),
    /** When it is deleted unless it is confirmed. */
    confirmUntil: moment('confirm_until'),
    confirmedAt: moment('confirmed_at'),
    /** When the link was last mailed. */
    askedAt: moment('asked_at').notNull(),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    uniqueIndex('status_subscribers_address').on(table.address),
    uniqueIndex('status_subscribers_confirm').on(table.confirmHash),
    index('status_subscribers_confirmed').on(table.id).where(sql`${table.confirmedAt} is not null`),
    index('status_subscribers_until').on(table.confirmUntil),
  ],
)
export type SubscriberRow = typeof statusSubscribers.$inferSelect

/**
 * Requests to subscribe; whether the address is subscribed already is checked later, invisibly to the
 * requester.
 */
export const statusRequests = pgTable('status_requests', {
  id: uuid('id').primaryKey(),
  address: text('address').notNull(),
  language: text('language').$type<Language>(),
  createdAt: moment('created_at').notNull().defaultNow(),
})

/** Updates that are being mailed to the subscribers, in the order of their ids. */
export const statusMailings = pgTable('status_mailings', {
  updateId: uuid('update_id')
    .primaryKey()
    .references(() => statusUpdates.id, { onDelete: 'cascade' }),
  /** The last subscriber it was queued for. */
  after: uuid('after'),
  createdAt: moment('created_at').notNull().defaultNow(),
})
