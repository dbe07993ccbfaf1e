import {
  EditSuspension,
  SuspendCustomer,
  SuspensionHistory,
  SuspensionSettings,
  WriteSuspensionNote,
} from '@lodge/shared/suspensions.ts'
import { z } from 'zod'
import { del, get, patch, post, put } from '../../http/endpoint.ts'
import { customer } from '../customers/index.ts'
import { liftSuspension } from './lift.ts'
import { writeNote } from './notes.ts'
import { saveSettings, shownSettings } from './settings.ts'
import { editSuspension, suspendCustomer } from './suspend.ts'
import { historyOf } from './view.ts'

const view = { who: 'admin', may: 'suspension.view', on: customer } as const
const manage = { who: 'admin', may: 'suspension.manage', on: customer } as const

export const suspend = post('/api/customers/{id}/suspend', {
  summary: 'Suspend a customer; what is left out is as the settings say',
  access: manage,
  body: SuspendCustomer,
  reply: SuspensionHistory,
  recorded: 'suspended the customer {target}',
  handle: async ({ ctx, customer, body }) => {
    await suspendCustomer(ctx, customer, body)
    return historyOf(ctx, customer)
  },
})

export const showSuspension = get('/api/customers/{id}/suspension', {
  summary: 'The suspensions of a customer, with appeals and internal notes',
  access: view,
  reply: SuspensionHistory,
  handle: ({ ctx, customer }) => historyOf(ctx, customer),
})

export const changeSuspension = patch('/api/customers/{id}/suspension', {
  summary: 'Change the reason, the end or options of a suspension in force',
  access: manage,
  body: EditSuspension,
  reply: SuspensionHistory,
  recorded: 'changed the suspension of {target}',
  handle: async ({ ctx, customer, body }) => {
    await editSuspension(ctx, customer, body)
    return historyOf(ctx, customer)
  },
})

export const unsuspend = del('/api/customers/{id}/suspension', {
  summary: 'Lift the suspension of a customer',
  access: manage,
  query: z.object({
    /** Whether servers that were running start again. */
    restoreRunning: z
      .enum(['true', 'false'])
      .default('true')
      .transform((text) => text === 'true'),
    /** For the history; the customer does not see it. */
    reason: z.string().trim().min(1).max(500).optional(),
  }),
  recorded: 'lifted the suspension of {target}',
  handle: ({ ctx, customer, query }) => liftSuspension(ctx, customer, query),
})

export const noteSuspension = post('/api/customers/{id}/suspension/notes', {
  summary: 'Add an internal note to the newest suspension, which the customer never sees',
  access: { who: 'admin', may: 'suspension.notes', on: customer },
  body: WriteSuspensionNote,
  status: 201,
  reply: SuspensionHistory,
  recorded: 'wrote a note about the suspension of {target}',
  handle: async ({ ctx, customer, body }) => {
    await writeNote(ctx, customer, body.text)
    return historyOf(ctx, customer)
  },
})

export const showSuspensionSettings = get('/api/support/suspension-settings', {
  summary: 'Defaults of suspensions, templates of reasons, appeals and retention',
  access: { who: 'admin', may: 'suspension.view' },
  reply: SuspensionSettings,
  handle: ({ ctx }) => shownSettings(ctx),
})

export const editSuspensionSettings = put('/api/support/suspension-settings', {
  summary: 'Change the defaults of suspensions, templates of reasons, appeals and retention',
  access: { who: 'admin', may: 'suspension.manage' },
  body: SuspensionSettings,
  reply: SuspensionSettings,
  recorded: 'changed the settings of suspensions',
  handle: ({ ctx, body }) => saveSettings(ctx, body),
})
