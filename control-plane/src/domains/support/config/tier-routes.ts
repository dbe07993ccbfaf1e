import { Tier, WriteTier } from '@lodge/shared/support/tiers.ts'
import { z } from 'zod'
import { del, get, put } from '../../../http/endpoint.ts'
import { listTiers } from '../tiers/store.ts'
import * as tiers from './change-tier.ts'

export const listSupportTiers = get('/api/support/tiers', {
  summary: 'What the desk promises to whom, the best tier first',
  access: { who: 'admin', may: 'support.settings' },
  reply: z.object({ items: z.array(Tier) }),
  handle: async ({ ctx }) => ({ items: await listTiers(ctx.db) }),
})

export const changeSupportTier = put('/api/support/tiers/{id}', {
  summary: 'Set the goals of a tier, or create it under a new id',
  access: { who: 'admin', may: 'support.settings' },
  body: WriteTier,
  reply: Tier,
  recorded: 'changed a tier of the support desk',
  handle: ({ ctx, params, body }) => tiers.changeTier(ctx, params.id, body),
})

export const deleteSupportTier = del('/api/support/tiers/{id}', {
  summary: 'Delete a tier of the support desk',
  access: { who: 'admin', may: 'support.settings' },
  recorded: 'deleted a tier of the support desk',
  handle: ({ ctx, params }) => tiers.deleteTier(ctx, params.id),
})
