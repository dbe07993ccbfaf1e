import { LimitLayer } from '@lodge/shared/limits/keys.ts'
import { LimitSettings } from '@lodge/shared/limits/settings.ts'
import { get, put } from '../../http/endpoint.ts'
import { notFound } from '../../problem.ts'
import { customer, findUser } from '../customers/index.ts'
import { readSettings, settingsOf, writeSettings } from '../settings/index.ts'
import { limitDefaults, limitSettings } from './areas.ts'
import { describeLimits, LimitsView } from './view.ts'

export const showCustomerLimits = get('/api/customers/{id}/limits', {
  summary: 'Effective limits of a customer with their origin',
  access: { who: 'admin', may: 'customers.view', on: customer },
  reply: LimitsView,
  handle: ({ ctx, customer }) => describeLimits(ctx.db, customer, false),
})

export const showOwnLimits = get('/api/limits/me', {
  summary: 'Own effective limits',
  access: { who: 'user' },
  reply: LimitsView,
  handle: async ({ ctx }) => {
    const user = await findUser(ctx.db, ctx.actor.id)
    if (!user) throw notFound('account')
    return describeLimits(ctx.db, user, true)
  },
})

export const showLimitSettings = get('/api/limits/settings', {
  summary: 'How limits are used',
  access: { who: 'admin', may: 'limits.settings' },
  reply: LimitSettings,
  handle: ({ ctx }) => readSettings(ctx.db, limitSettings),
})

export const changeLimitSettings = put('/api/limits/settings', {
  summary: 'Change how limits are used',
  access: { who: 'admin', may: 'limits.settings' },
  body: LimitSettings,
  reply: LimitSettings,
  recorded: 'changed the limit settings',
  handle: ({ ctx, body }) => writeSettings(ctx.db, limitSettings, body),
})

export const showLimitDefaults = get('/api/limits/defaults', {
  summary: 'Limits of every customer',
  access: { who: 'admin', may: 'limits.settings' },
  reply: LimitLayer,
  handle: ({ ctx }) => readSettings(ctx.db, limitDefaults),
})

export const changeLimitDefaults = put('/api/limits/defaults', {
  summary:
    'Change the limits of every customer; what is left out has its built-in value, null is no limit',
  access: { who: 'admin', may: 'limits.settings' },
  body: LimitLayer,
  reply: LimitLayer,
  recorded: 'changed the limits of every customer',
  handle: ({ ctx, body }) => writeSettings(ctx.db, limitDefaults, settingsOf(limitDefaults, body)),
})
