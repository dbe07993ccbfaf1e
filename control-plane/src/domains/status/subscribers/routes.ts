import { emailAddress } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import type { Ctx } from '../../../context.ts'
import { type Exchange, get, post } from '../../../http/endpoint.ts'
import { invalid } from '../../../http/input.ts'
import { pageLanguage } from '../../../http/page-language.ts'
import { bytesBody } from '../../../http/raw-body.ts'
import { notFound, Problem } from '../../../problem.ts'
import { statusBudgets } from '../budgets.ts'
import { currentBoard } from '../page/kept.ts'
import { type Result, resultPage } from '../page/pages.ts'
import { countSubscribers } from './store.ts'
import { confirmAddress, subscribe, unsubscribe } from './subscribe.ts'

/** The body of the public page's forms, which work without JavaScript. */
const form = bytesBody({ maxBytes: 2048, contentTypes: ['application/x-www-form-urlencoded'] })
const fieldOf = (body: Buffer, name: string): string =>
  new URLSearchParams(body.toString('utf8')).get(name) ?? ''

const EXPIRED = { invalid_token: 'expired' } as const

/**
 * Handles a form and answers with a page that shows the result.
 * @param refusals pages for the refusals that the person can do something about
 */
async function answerForm(
  ctx: Ctx,
  { request, reply }: Exchange,
  done: Result,
  refusals: Readonly<Partial<Record<string, Result>>>,
  work: () => Promise<void>,
): Promise<void> {
  const board = await currentBoard(ctx)
  if (!board) throw notFound('status page')
  let [result, status] = [done, 200]
  try {
    await work()
  } catch (error) {
    const refused = error instanceof Problem ? refusals[error.code] : undefined
    if (!(error instanceof Problem) || refused === undefined) throw error
    ;[result, status] = [refused, error.status]
  }
  const { text, contentSecurityPolicy } = resultPage(board, pageLanguage(request), result)
  await reply
    .code(status)
    .headers({ 'cache-control': 'no-store', 'content-security-policy': contentSecurityPolicy })
    .type('text/html; charset=utf-8')
    .send(text)
}

export const subscribeToStatus = post('/api/status/subscribers', {
  summary:
    'Ask for mail from the status page, as its form does; the answer is the same for any address',
  access: { who: 'anyone', throttle: statusBudgets.statusSubscribe },
  body: form,
  streams: 'text/html',
  handle: ({ ctx, body, http }) => {
    const refusals = { conflict: 'full', validation_failed: 'address' } as const
    return answerForm(ctx, http, 'asked', refusals, async () => {
      const address = emailAddress.safeParse(fieldOf(body, 'email'))
      if (!address.success)
        throw invalid([{ pointer: '/email', detail: 'is not an e-mail address' }])
      await subscribe(ctx, address.data, pageLanguage(http.request))
    })
  },
})

export const confirmStatusSubscription = post('/api/status/subscribers/confirm', {
  summary: 'Confirm an address with the mailed link, as the form behind it does',
  access: { who: 'anyone', throttle: statusBudgets.statusLinks },
  body: form,
  streams: 'text/html',
  handle: ({ ctx, body, http }) =>
    answerForm(ctx, http, 'confirmed', EXPIRED, () => confirmAddress(ctx, fieldOf(body, 'token'))),
})

export const leaveStatusPage = post('/api/status/subscribers/leave', {
  summary: 'End the mail of the status page, as the form behind its link does',
  access: { who: 'anyone', throttle: statusBudgets.statusLinks },
  body: form,
  streams: 'text/html',
  handle: ({ ctx, body, http }) =>
    answerForm(ctx, http, 'ended', { invalid_token: 'broken' }, () =>
      unsubscribe(ctx, fieldOf(body, 'token')),
    ),
})

export const unsubscribeFromStatus = post('/api/status/unsubscribe/{token}', {
  summary: 'End the mail of the status page, as mail programs do with one click (RFC 8058)',
  access: { who: 'anyone', throttle: statusBudgets.statusLinks },
  body: bytesBody({
    maxBytes: 1024,
    contentTypes: ['application/x-www-form-urlencoded', 'multipart/form-data', 'application/json'],
  }),
  handle: ({ ctx, params }) => unsubscribe(ctx, params.token),
})

export const countStatusSubscribers = get('/api/status/subscribers', {
  summary: 'How many addresses get mail from the status page, and how many are not confirmed yet',
  access: { who: 'admin', may: 'status.view' },
  reply: z.object({ confirmed: z.int(), unconfirmed: z.int() }),
  handle: ({ ctx }) => countSubscribers(ctx.db),
})
