import { SignIns } from '@lodge/shared/accounts.ts'
import { z } from 'zod'
import { get, post } from '../../../http/endpoint.ts'
import { customer } from '../../customers/index.ts'
import { signInsOf, signOutEverywhere } from '../sessions/customer-sessions.ts'

export const listSignIns = get('/api/customers/{id}/sign-ins', {
  summary: 'Where a customer is signed in, and their last sign-ins',
  access: { who: 'admin', may: 'customers.view', on: customer },
  reply: SignIns,
  handle: ({ ctx, customer }) => signInsOf(ctx, customer),
})

export const signCustomerOut = post('/api/customers/{id}/sign-out', {
  summary: 'End every session of a customer',
  access: { who: 'admin', may: 'customers.manage', on: customer },
  reply: z.object({ ended: z.int() }),
  recorded: 'signed {target} out everywhere',
  handle: ({ ctx, customer }) => signOutEverywhere(ctx, customer),
})
