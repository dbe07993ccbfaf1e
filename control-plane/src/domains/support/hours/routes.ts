import { BusinessHours } from '@lodge/shared/support/hours/business-hours.ts'
import { get, put } from '../../../http/endpoint.ts'
import { readSettings } from '../../settings/index.ts'
import { changeHours } from './hours.ts'
import { hoursSettings } from './settings.ts'

export const showSupportHours = get('/api/support/hours', {
  summary: 'When people answer tickets',
  access: { who: 'admin', may: 'support.settings' },
  reply: BusinessHours,
  handle: ({ ctx }) => readSettings(ctx.db, hoursSettings),
})

export const changeSupportHours = put('/api/support/hours', {
  summary: 'Set business hours and holidays; goals of open tickets follow',
  access: { who: 'admin', may: 'support.settings' },
  body: BusinessHours,
  reply: BusinessHours,
  recorded: 'changed the business hours of the support desk',
  handle: ({ ctx, body }) => changeHours(ctx, body),
})
