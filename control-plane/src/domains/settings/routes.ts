import { get, put } from '../../http/endpoint.ts'
import { SelfServiceSettings, selfServiceSettings } from './self-service.ts'
import { readSettings, writeSettings } from './store.ts'

export const showSelfServiceSettings = get('/api/settings/self-service', {
  summary: 'What customers may do with their servers by themselves',
  access: { who: 'admin', may: 'settings.manage' },
  reply: SelfServiceSettings,
  handle: ({ ctx }) => readSettings(ctx.db, selfServiceSettings),
})

export const editSelfServiceSettings = put('/api/settings/self-service', {
  summary: 'Change what customers may do with their servers by themselves',
  access: { who: 'admin', may: 'settings.manage' },
  body: SelfServiceSettings,
  reply: SelfServiceSettings,
  recorded: 'changed the self-service settings',
  handle: ({ ctx, body }) => writeSettings(ctx.db, selfServiceSettings, body),
})
