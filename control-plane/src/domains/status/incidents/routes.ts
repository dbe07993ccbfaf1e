import {
  CreateIncident,
  EditIncident,
  EditUpdate,
  PostUpdate,
  StatusIncident,
} from '@lodge/shared/status.ts'
import { z } from 'zod'
import { pageOf, pageQuery } from '../../../db/cursor.ts'
import { del, get, patch, post } from '../../../http/endpoint.ts'
import * as incidents from './incidents.ts'
import * as updates from './updates.ts'

const seen = { who: 'admin', may: 'status.view' } as const
const access = { who: 'admin', may: 'status.manage' } as const
const one = { ...access, on: incidents.incident } as const

export const listStatusIncidents = get('/api/status/incidents', {
  summary: 'Incidents and maintenance with their updates, drafts included, the newest first',
  access: seen,
  query: z.object({ ...pageQuery, kind: z.enum(['incident', 'maintenance']).optional() }),
  reply: pageOf(StatusIncident),
  handle: ({ ctx, query }) => incidents.pageOfIncidents(ctx, query),
})

export const showStatusIncident = get('/api/status/incidents/{id}', {
  summary: 'An incident or maintenance with its updates',
  access: { ...seen, on: incidents.incident },
  reply: StatusIncident,
  handle: ({ ctx, incident }) => incidents.showIncident(ctx, incident.id),
})

export const createStatusIncident = post('/api/status/incidents', {
  summary: 'Open an incident or plan maintenance: as a draft, or on the public page at once',
  access,
  body: CreateIncident,
  reply: StatusIncident,
  status: 201,
  recorded: 'wrote an incident or maintenance for the status page',
  handle: ({ ctx, body }) => incidents.createIncident(ctx, body),
})

export const editStatusIncident = patch('/api/status/incidents/{id}', {
  summary: 'Change title, components, times or impact; nobody is mailed',
  access: one,
  body: EditIncident,
  reply: StatusIncident,
  recorded: 'changed an incident or maintenance of the status page',
  handle: ({ ctx, incident, body }) => incidents.editIncident(ctx, incident.id, body),
})

export const publishStatusIncident = post('/api/status/incidents/{id}/publish', {
  summary: 'Put a draft on the public page and mail the subscribers',
  access: one,
  reply: StatusIncident,
  recorded: 'published an incident or maintenance on the status page',
  handle: ({ ctx, incident }) => incidents.publish(ctx, incident.id),
})

export const postStatusUpdate = post('/api/status/incidents/{id}/updates', {
  summary: 'Say what is new; the subscribers are mailed unless it is a draft',
  access: one,
  body: PostUpdate,
  reply: StatusIncident,
  status: 201,
  recorded: 'posted an update on the status page',
  handle: ({ ctx, incident, body }) => updates.postUpdate(ctx, incident.id, body),
})

export const rewordStatusUpdate = patch('/api/status/incidents/{id}/updates/{updateId}', {
  summary: 'Correct what an update says; nobody is mailed again',
  access: one,
  body: EditUpdate,
  reply: StatusIncident,
  recorded: 'corrected an update on the status page',
  handle: ({ ctx, incident, params, body }) =>
    updates.rewordUpdate(ctx, incident.id, params.updateId, body.body),
})

export const deleteStatusIncident = del('/api/status/incidents/{id}', {
  summary: 'Delete an incident or maintenance with its updates; recorded minutes stay as they are',
  access: { ...one, stepUp: true },
  recorded: 'deleted an incident or maintenance from the status page',
  handle: ({ ctx, incident }) => incidents.removeIncident(ctx, incident.id),
})
