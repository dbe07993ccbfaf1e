import { get, put } from '../../../http/endpoint.ts'
import { readSettings, SecuritySettings, securitySettings } from '../../settings/index.ts'
import { changeSecuritySettings } from '../security-settings.ts'

export const showSecuritySettings = get('/api/settings/security', {
  summary: 'From where administrators may work, and how long changes are remembered',
  access: { who: 'admin', may: 'settings.manage' },
  reply: SecuritySettings,
  handle: ({ ctx }) => readSettings(ctx.db, securitySettings),
})

export const editSecuritySettings = put('/api/settings/security', {
  summary: 'Change from where administrators may work; never shuts its caller out',
  access: { who: 'admin', may: 'settings.manage', stepUp: true },
  body: SecuritySettings,
  reply: SecuritySettings,
  recorded: 'changed the security settings',
  handle: ({ ctx, body }) => changeSecuritySettings(ctx, body),
})
