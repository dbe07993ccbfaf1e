import { RULE_EVENTS, type RuleAction, type WriteRule } from '@lodge/shared/support/rules/rule.ts'
import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  uuid,
} from 'drizzle-orm/pg-core'
import { moment } from '../../../db/columns.ts'
import { supportTickets } from '../tickets/tables.ts'

/** Automation rules of the desk. */
export const supportRules = pgTable(
  'support_rules',
  {
    id: uuid('id').primaryKey(),
    name: text('name').notNull(),
    enabled: boolean('enabled').notNull(),
    position: integer('position').notNull(),
    on: text('on_event', { enum: RULE_EVENTS }).notNull(),
    idleMinutes: integer('idle_minutes'),
    when: jsonb('conditions').$type<WriteRule['when']>().notNull(),
    actions: jsonb('actions').$type<RuleAction[]>().notNull(),
    stop: boolean('stop').notNull(),
    /** Why Lodge turned it off. */
    disabledReason: text('disabled_reason'),
    createdAt: moment('created_at').notNull().defaultNow(),
  },
  (table) => [
    index('support_rules_event').on(table.on, table.position).where(sql`${table.enabled}`),
    check('support_rules_idle', sql`(${table.on} = 'idle') = (${table.idleMinutes} is not null)`),
  ],
)
export type RuleRow = typeof supportRules.$inferSelect

const ticket = () =>
  uuid('ticket_id')
    .notNull()
    .references(() => supportTickets.id, { onDelete: 'cascade' })
const rule = () =>
  uuid('rule_id')
    .notNull()
    .references(() => supportRules.id, { onDelete: 'cascade' })

/** The idle spell of a ticket that a rule has handled. */
export const supportRuleIdles = pgTable(
  'support_rule_idles',
  { ruleId: rule(), ticketId: ticket(), since: moment('since').notNull() },
  (table) => [
    primaryKey({ columns: [table.ruleId, table.ticketId] }),
    index('support_rule_idles_ticket').on(table.ticketId),
  ],
)

/** What rules did to which tickets. */
export const supportRuleRuns = pgTable(
  'support_rule_runs',
  {
    id: uuid('id').primaryKey(),
    ruleId: rule(),
    ticketId: ticket(),
    at: moment('at').notNull(),
    does: jsonb('does').$type<RuleAction['type'][]>().notNull(),
  },
  (table) => [
    index('support_rule_runs_rule').on(table.ruleId, table.at),
    index('support_rule_runs_ticket').on(table.ticketId),
    index('support_rule_runs_at').on(table.at),
  ],
)
