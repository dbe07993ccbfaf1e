import { emailAddress } from '@lodge/shared/accounts.ts'
import { served } from '@lodge/shared/panel-paths.ts'
import { z } from 'zod'
import { type Exchange, get, post } from '../../../http/endpoint.ts'
import { bytesBody } from '../../../http/raw-body.ts'
import { Problem } from '../../../problem.ts'
import { statusBudgets } from '../budgets.ts'
import { countSubscribers } from './store.ts'
import { confirmAddress, subscribe, unsubscribe } from './subscribe.ts'

/** What the forms of the public page send: it works without programs in the browser. */
const form = bytesBody({ maxBytes: 2048, contentTypes: ['application/x-www-form-urlencoded'] })
const fieldOf = (body: Buffer, name: string): string =>
  new URLSearchParams(body.toString('utf8')).get(name) ?? ''

/** Leads the browser to the page that says what came of a form. */
const leadTo = (
  { reply }: Exchange,
  result: 'asked' | 'address' | 'full' | 'confirmed' | 'expired' | 'ended',
) => reply.redirect(`${served.statusMail}?result=${result}`, 303)

/** The page of a refusal that whoever filled in the form can do something about. */
async function unless(
  refusals: Readonly<Partial<Record<string, Parameters<typeof leadTo>[1]>>>,
  work: () => Promise<void>,
): Promise<Parameters<typeof leadTo>[1] | undefined> {
  try {
    await work()
    return undefined
  } catch (error) {
    const result = error instanceof Problem ? refusals[error.code] : undefined
    if (result === undefined) throw error
    return result
  }
}

export const subscribeToStatus = post('/api/status/subscribers', {
  summary:
    'Ask for mail from the status page, as its form does; the answer is the same for any address',
  access: { who: 'anyone', throttle: statusBudgets.statusSubscribe },
  body: form,
  streams: 'text/html',
  handle: async ({ ctx, body, http }) => {
    const address = emailAddress.safeParse(fieldOf(body, 'email'))
    const result = address.success
      ? await unless({ conflict: 'full' }, () => subscribe(ctx, address.data))
      : 'address'
    await leadTo(http, result ?? 'asked')
  },
})

export const confirmStatusSubscription = post('/api/status/subscribers/confirm', {
  summary: 'Confirm an address with the mailed link, as the form behind it does',
  access: { who: 'anyone', throttle: statusBudgets.statusLinks },
  body: form,
  streams: 'text/html',
  handle: async ({ ctx, body, http }) => {
    const result = await unless({ invalid_token: 'expired' }, () =>
      confirmAddress(ctx, fieldOf(body, 'token')),
    )
    await leadTo(http, result ?? 'confirmed')
  },
})

export const leaveStatusPage = post('/api/status/subscribers/leave', {
  summary: 'End the mail of the status page, as the form behind its link does',
  access: { who: 'anyone', throttle: statusBudgets.statusLinks },
  body: form,
  streams: 'text/html',
  handle: async ({ ctx, body, http }) => {
    const result = await unless({ invalid_token: 'expired' }, () =>
      unsubscribe(ctx, fieldOf(body, 'token')),
    )
    await leadTo(http, result ?? 'ended')
  },
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
