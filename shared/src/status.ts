import { z } from 'zod'
import { timeZone } from './time-zone.ts'

/** API schemas of the status page. */

export const MOST_COMPONENTS = 50
export const MOST_OPEN_INCIDENTS = 100
export const MOST_UPDATES = 200
export const MOST_SUBSCRIBERS = 10_000
/** Days whose uptime the page shows. */
export const UPTIME_DAYS = 90
/** Days for which incidents that are over are kept. */
export const INCIDENT_DAYS = 730

const line = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .refine((value) => !/[\p{Cc}\p{Bidi_Control}]/u.test(value), {
      message: 'must be one line without control characters',
    })
const text = (most: number) =>
  z
    .string()
    .trim()
    .max(most)
    .refine((value) => !/[\p{Cc}\p{Bidi_Control}]/u.test(value.replaceAll('\n', '')), {
      message: 'must not have control characters',
    })
const moment = z.iso.datetime({ offset: true })

/** What a component can be, from best to worst. */
export const HEALTHS = ['operational', 'degraded', 'partial', 'outage'] as const
export const Health = z.enum(HEALTHS)
export type Health = z.infer<typeof Health>
/** What is recorded of one minute; a minute without a record is unknown. */
export const MINUTE_STATES = [...HEALTHS, 'maintenance'] as const
export type MinuteState = (typeof MINUTE_STATES)[number]
export const ShownState = z.enum([...MINUTE_STATES, 'unknown'])
export type ShownState = z.infer<typeof ShownState>

/** Where the state of a component comes from: the nodes of a location, the panel itself, or a person. */
export const COMPONENT_SOURCES = ['location', 'panel', 'manual'] as const

const component = {
  name: line(60).min(1),
  description: line(200).default(''),
  shown: z.boolean().default(true).describe('on the public page'),
}
export const CreateComponent = z.discriminatedUnion('source', [
  z.strictObject({
    source: z.literal('location'),
    location: line(100).min(1).describe('whose nodes it stands for; never shown to the public'),
    ...component,
  }),
  z.strictObject({ source: z.literal('panel'), ...component }),
  z.strictObject({ source: z.literal('manual'), ...component }),
])
export type CreateComponent = z.infer<typeof CreateComponent>
export const EditComponent = z.strictObject({
  name: line(60).min(1).optional(),
  description: line(200).optional(),
  shown: z.boolean().optional(),
  health: Health.optional().describe('only of a component whose state a person sets'),
})
export type EditComponent = z.infer<typeof EditComponent>

export const StatusComponent = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  source: z.enum(COMPONENT_SOURCES),
  location: z.string().nullable(),
  shown: z.boolean(),
  state: ShownState.describe('now, with incidents and maintenance'),
  measured: ShownState.describe('now, without them'),
})
export type StatusComponent = z.infer<typeof StatusComponent>

export const INCIDENT_STATES = ['investigating', 'identified', 'monitoring', 'resolved'] as const
const MAINTENANCE_STATES = ['scheduled', 'in_progress', 'completed', 'cancelled'] as const
export const IncidentState = z.enum([...INCIDENT_STATES, ...MAINTENANCE_STATES])
export type IncidentState = z.infer<typeof IncidentState>
export const IMPACTS = ['degraded', 'partial', 'outage'] as const
export const Impact = z.enum(IMPACTS)
export type Impact = z.infer<typeof Impact>

const body = text(5000).min(1)
const incident = {
  title: line(120).min(1),
  componentIds: z.array(z.uuid().toLowerCase()).max(MOST_COMPONENTS),
  announced: z.boolean().describe('also above every page of the panel while it is open'),
}
/** Either begins as a draft, unless `publish`. */
export const CreateIncident = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('incident'),
    ...incident,
    componentIds: incident.componentIds.default([]),
    announced: incident.announced.default(false),
    impact: Impact,
    state: z.enum(INCIDENT_STATES).exclude(['resolved']).default('investigating'),
    body,
    publish: z.boolean().default(false),
  }),
  z.strictObject({
    kind: z.literal('maintenance'),
    ...incident,
    componentIds: incident.componentIds.default([]),
    announced: incident.announced.default(false),
    startsAt: moment,
    endsAt: moment,
    body,
    publish: z.boolean().default(false),
  }),
])
export type CreateIncident = z.infer<typeof CreateIncident>
export const EditIncident = z.strictObject({
  title: incident.title.optional(),
  componentIds: incident.componentIds.optional(),
  announced: incident.announced.optional(),
  impact: Impact.optional().describe('only of an incident'),
  startsAt: moment.optional().describe('only of maintenance that has not begun'),
  endsAt: moment.optional().describe('only of maintenance that is not over'),
})
export type EditIncident = z.infer<typeof EditIncident>

export const PostUpdate = z.strictObject({
  state: IncidentState.optional().describe('of maintenance only `completed` or `cancelled`'),
  body,
})
export type PostUpdate = z.infer<typeof PostUpdate>
export const EditUpdate = z.strictObject({ body })

export const StatusUpdate = z.object({
  id: z.uuid(),
  state: IncidentState,
  body: z.string(),
  at: z.iso.datetime(),
})
export type StatusUpdate = z.infer<typeof StatusUpdate>

const shownIncident = {
  id: z.uuid(),
  kind: z.enum(['incident', 'maintenance']),
  title: z.string(),
  state: IncidentState,
  impact: Impact.nullable().describe('null of maintenance'),
  startsAt: z.iso.datetime(),
  endsAt: z.iso
    .datetime()
    .nullable()
    .describe('of maintenance when it is to end, of an incident when it was resolved'),
  updates: z.array(StatusUpdate).describe('the newest first'),
}
export const StatusIncident = z.object({
  ...shownIncident,
  componentIds: z.array(z.uuid()),
  announced: z.boolean(),
  publishedAt: z.iso.datetime().nullable().describe('null: a draft'),
})
export type StatusIncident = z.infer<typeof StatusIncident>

export const PublicIncident = z.object({
  ...shownIncident,
  components: z.array(z.string()).describe('names of those that are shown'),
})
export type PublicIncident = z.infer<typeof PublicIncident>

const minutes = z.int()
/** One day of a component, in the time zone of the page. */
export const DayUptime = z.object({
  date: z.iso.date(),
  worst: ShownState,
  upMinutes: minutes.describe('everything worked, if slowly'),
  downMinutes: minutes.describe('some or all of it did not work'),
  maintenanceMinutes: minutes,
  unknownMinutes: minutes.describe('not measured'),
})
export type DayUptime = z.infer<typeof DayUptime>

export const PublicComponent = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  state: ShownState,
  uptimePercent: z
    .number()
    .nullable()
    .describe('of the measured minutes outside of maintenance, rounded down; null without any'),
  days: z.array(DayUptime).describe('the oldest first'),
})
export type PublicComponent = z.infer<typeof PublicComponent>

export const PublicStatus = z.object({
  title: z.string(),
  intro: z.string(),
  timeZone: z.string(),
  asOf: z.iso.datetime(),
  state: ShownState.describe('of the worst component'),
  components: z.array(PublicComponent),
  open: z.array(PublicIncident),
  planned: z.array(PublicIncident),
  past: z.array(PublicIncident).describe('of the last 90 days'),
  subscriptions: z.boolean().describe('whether the page takes subscriptions by mail'),
})
export type PublicStatus = z.infer<typeof PublicStatus>

export const StatusSettings = z.strictObject({
  enabled: z.boolean(),
  title: line(80).describe('empty: made from the name of the panel'),
  intro: text(600),
  timeZone,
  subscriptions: z.boolean().describe('whether people may subscribe by mail'),
})
export type StatusSettings = z.infer<typeof StatusSettings>
