import { SignIns } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { del, get, post } from '../../../http/endpoint.ts'
import { customer } from '../../customers/index.ts'
import { removeFactorsOf, secondFactorsOf } from '../factors/factors.ts'
import { signInsOf, signOutEverywhere } from '../sessions/customer-sessions.ts'

export const listSignIns = get('/api/customers/{id}/sign-ins', {
  summary: 'The second factors of a customer, where they are signed in, and their last sign-ins',
  access: { who: 'admin', may: 'customers.view', on: customer },
  reply: SignIns,
  handle: async ({ ctx, customer }) => ({
    secondFactors: await secondFactorsOf(ctx, customer.id),
    ...(await signInsOf(ctx, customer)),
  }),
})

export const signCustomerOut = post('/api/customers/{id}/sign-out', {
  summary: 'End every session of a customer',
  access: { who: 'admin', may: 'customers.manage', on: customer },
  reply: z.object({ ended: z.int() }),
  recorded: 'signed {target} out everywhere',
  handle: ({ ctx, customer }) => signOutEverywhere(ctx, customer),
})

export const removeSecondFactors = del('/api/customers/{id}/second-factors', {
  summary:
    'Remove every second factor of a customer who lost them, and end all access to the account',
  access: { who: 'admin', may: 'customers.manage', on: customer, stepUp: true },
  recorded: 'removed the second factors of {target}',
  handle: ({ ctx, customer }) => removeFactorsOf(ctx, customer),
})
