import { Attachment, AttachmentForm, AttachmentUpload } from '@lodge/shared/attachments.ts'
import {
  AnswerAppeal,
  OpenAppeal,
  OwnSuspension,
  ReplyInAppeal,
  SuspensionHistory,
  WaitingAppeal,
} from '@lodge/shared/suspensions.ts'
import { z } from 'zod'
import type { Db } from '../../../db/database.ts'
import { del, get, post } from '../../../http/endpoint.ts'
import {
  attachmentBody,
  attachmentBudgets,
  keepAttachment,
  sendAttachment,
} from '../../attachments/index.ts'
import { customer } from '../../customers/index.ts'
import { isOfCustomer } from '../appeals/appeal-store.ts'
import { APPEAL_MESSAGE } from '../appeals/view.ts'
import { historyOf, ownSuspension } from '../view.ts'
import { answerAppeal, waitingAppeals } from './answer.ts'
import * as own from './own.ts'

const FILE = 'application/octet-stream'
const ofAppeal = (
  db: Db,
  id: string,
  customerId: string,
  form: z.output<typeof AttachmentForm>,
) => ({
  ...{ id, form, kind: APPEAL_MESSAGE },
  mayRead: (messageId: string) => isOfCustomer(db, messageId, customerId),
})

export const showOwnSuspension = get('/api/suspension', {
  summary: 'The own suspension: why, since when, what still works, and the appeal',
  access: { who: 'user', whileSuspended: 'always' },
  reply: z.object({ suspension: OwnSuspension.nullable() }),
  handle: async ({ ctx }) => ({ suspension: await ownSuspension(ctx) }),
})

export const openOwnAppeal = post('/api/suspension/appeal', {
  summary: 'Appeal the own suspension',
  access: { who: 'user', whileSuspended: 'always' },
  body: OpenAppeal,
  reply: OwnSuspension,
  status: 201,
  recorded: 'appealed their suspension',
  handle: ({ ctx, body }) => own.openAppeal(ctx, body),
})

export const replyInOwnAppeal = post('/api/suspension/appeal/reply', {
  summary: 'Write again in the own appeal',
  access: { who: 'user', whileSuspended: 'always' },
  body: ReplyInAppeal,
  reply: OwnSuspension,
  recorded: 'replied in their appeal',
  handle: ({ ctx, body }) => own.replyInAppeal(ctx, body),
})

export const withdrawOwnAppeal = del('/api/suspension/appeal', {
  summary: 'Withdraw the own appeal',
  access: { who: 'user', whileSuspended: 'always' },
  recorded: 'withdrew their appeal',
  handle: ({ ctx }) => own.withdrawAppeal(ctx),
})

export const attachToOwnAppeal = post('/api/suspension/attachments', {
  summary: 'Upload a file to send with a message of the own appeal',
  access: { who: 'user', whileSuspended: 'always', throttle: attachmentBudgets.attachmentUpload },
  query: AttachmentUpload,
  body: attachmentBody,
  reply: Attachment,
  status: 201,
  recorded: false,
  handle: ({ ctx, query, body, http }) => own.attachToAppeal(ctx, query, body, http),
})

export const readOwnAttachment = get('/api/suspension/attachments/{id}', {
  summary: 'A file of the own appeal, or the preview of a picture',
  access: { who: 'user', own: true, whileSuspended: 'always', hiddenFromViewers: true },
  query: AttachmentForm,
  streams: FILE,
  handle: ({ ctx, params, query, http }) =>
    sendAttachment(ctx, ofAppeal(ctx.db, params.id, ctx.actor.id, query), http),
})

export const answerToAppeal = post('/api/customers/{id}/suspension/reply', {
  summary: 'Answer the appeal of a customer; grant or reject it',
  access: { who: 'admin', may: 'suspension.manage', on: customer },
  body: AnswerAppeal,
  reply: SuspensionHistory,
  recorded: 'answered the appeal of {target}',
  handle: async ({ ctx, customer, body }) => {
    await answerAppeal(ctx, customer, body)
    return historyOf(ctx, customer)
  },
})

export const attachToAnswer = post('/api/customers/{id}/suspension/attachments', {
  summary: 'Upload a file to send with an answer to an appeal',
  access: {
    who: 'admin',
    may: 'suspension.manage',
    on: customer,
    throttle: attachmentBudgets.attachmentUpload,
  },
  query: AttachmentUpload,
  body: attachmentBody,
  reply: Attachment,
  status: 201,
  recorded: false,
  handle: ({ ctx, query, body, http }) => keepAttachment(ctx, query, body, http),
})

export const readAppealAttachment = get(
  '/api/customers/{id}/suspension/attachments/{attachmentId}',
  {
    summary: 'A file of the appeal of a customer, or the preview of a picture',
    access: { who: 'admin', may: 'suspension.view', on: customer },
    query: AttachmentForm,
    streams: FILE,
    handle: ({ ctx, customer, params, query, http }) =>
      sendAttachment(ctx, ofAppeal(ctx.db, params.attachmentId, customer.id, query), http),
  },
)

export const listWaitingAppeals = get('/api/appeals', {
  summary: 'Appeals that wait for an answer, the one that waits longest first',
  access: { who: 'admin', may: 'suspension.view' },
  reply: z.object({ items: z.array(WaitingAppeal) }),
  handle: ({ ctx }) => waitingAppeals(ctx),
})
