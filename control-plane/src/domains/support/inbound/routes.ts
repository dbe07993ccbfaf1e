import {
  EditInboundSettings,
  InboundSettings,
  MAIL_RESULTS,
  MAX_MAIL_BYTES,
} from '@lodge/shared/support/inbound.ts'
import { z } from 'zod'
import { del, get, post, put } from '../../../http/endpoint.ts'
import { bytesBody } from '../../../http/raw-body.ts'
import { supportBudgets } from '../budgets.ts'
import { receiveFromBridge } from './bridge.ts'
import { dropHeld, heldMail, letInHeld } from './held.ts'
import * as settings from './settings.ts'

export const receiveInboundMail = post('/api/support/inbound', {
  summary:
    'A mail from the bridge, signed as Standard Webhooks describes: taken apart as JSON, or whole',
  access: { who: 'anyone', throttle: supportBudgets.inboundMail },
  body: bytesBody({
    maxBytes: MAX_MAIL_BYTES,
    contentTypes: ['application/json', 'message/rfc822'],
  }),
  reply: z.object({ result: z.enum(MAIL_RESULTS) }),
  // Files are stored before the transaction begins.
  waits: true,
  handle: async ({ ctx, body, http }) => ({
    result: await receiveFromBridge(ctx, http.request.headers, body),
  }),
})

export const rotateInboundSecret = post('/api/support/inbound/secret', {
  summary: 'Make a new secret for the bridge, shown once; the one before stays valid for a day',
  access: { who: 'admin', may: 'support.settings', stepUp: true },
  reply: z.object({ secret: z.string(), formerUntil: z.iso.datetime().nullable() }),
  status: 201,
  shownOnce: true,
  recorded: 'made a new secret for incoming mail',
  handle: ({ ctx }) => settings.rotateSecret(ctx),
})

export const showInboundSettings = get('/api/support/inbound/settings', {
  summary: 'What the desk does with mail that comes in',
  access: { who: 'admin', may: 'support.settings' },
  reply: InboundSettings,
  handle: ({ ctx }) => settings.inboundSettings(ctx),
})

export const editInboundSettings = put('/api/support/inbound/settings', {
  summary: 'Switch mail that comes in on or off; what is left out stays as it is',
  access: { who: 'admin', may: 'support.settings' },
  body: EditInboundSettings,
  reply: InboundSettings,
  recorded: 'changed the settings of incoming mail',
  handle: ({ ctx, body }) => settings.changeInboundSettings(ctx, body),
})

export const letInHeldMail = post('/api/support/inbound/held/{id}', {
  summary: 'Let a held mail in: the customer sees it, and the ticket waits for an answer',
  access: { who: 'admin', may: 'support.reply', on: heldMail },
  recorded: 'let in a held mail of {target}',
  handle: ({ ctx, heldMail }) => letInHeld(ctx, heldMail),
})

export const dropHeldMail = del('/api/support/inbound/held/{id}', {
  summary: 'Throw a held mail away, with its files',
  access: { who: 'admin', may: 'support.reply', on: heldMail },
  recorded: 'threw away a held mail of {target}',
  handle: ({ ctx, heldMail }) => dropHeld(ctx, heldMail),
})
