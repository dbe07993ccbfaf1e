import { z } from 'zod'
import { mailArea } from '../domains/email/index.ts'
import { limitDefaults, limitSettings } from '../domains/limits/index.ts'
import {
  type Area,
  listStored,
  originsOf,
  securitySettings,
  selfServiceSettings,
} from '../domains/settings/index.ts'
import { signupArea } from '../domains/signup/index.ts'
import { get } from '../http/endpoint.ts'

/** Variables of the environment that hold in place of a setting, while they are given. */
const OVERRIDES: Readonly<Record<string, string>> = {
  'security/administratorAddresses': 'LODGE_ADMIN_ADDRESSES',
}

interface Stored {
  readonly value: unknown
  readonly updatedAt: Date
}

const describe = <T extends object>(area: Area<T>, stored: Stored | undefined) => ({
  area: area.name,
  changedAt: stored?.updatedAt.toISOString() ?? null,
  settings: originsOf(area, stored?.value),
})

export const listSettingOrigins = get('/api/settings/origins', {
  summary: 'Where each setting comes from: what Lodge comes with, the panel, or the environment',
  access: { who: 'admin', may: 'settings.manage' },
  reply: z.object({
    areas: z.array(
      z.object({
        area: z.string(),
        /** When it was last saved; null while nobody did. */
        changedAt: z.iso.datetime().nullable(),
        settings: z.array(
          z.object({
            pointer: z.string(),
            origin: z.enum(['default', 'set', 'environment']),
            /** The variable that holds in its place. */
            variable: z.string().nullable(),
          }),
        ),
      }),
    ),
    variables: z.array(
      z.object({
        name: z.string(),
        /** Null where nothing holds, and for a secret. */
        value: z.string().nullable(),
        isGiven: z.boolean(),
      }),
    ),
  }),
  handle: async ({ ctx }) => {
    const stored = await listStored(ctx.db)
    const given = new Set(ctx.variables.filter(({ isGiven }) => isGiven).map(({ name }) => name))
    const areas = [
      describe(signupArea, stored.get(signupArea.name)),
      describe(securitySettings, stored.get(securitySettings.name)),
      describe(selfServiceSettings, stored.get(selfServiceSettings.name)),
      describe(limitSettings, stored.get(limitSettings.name)),
      describe(limitDefaults, stored.get(limitDefaults.name)),
      describe(mailArea, stored.get(mailArea.name)),
    ]
    return {
      areas: areas.map((one) => ({
        ...one,
        settings: one.settings.map(({ pointer, origin }) => {
          const variable = OVERRIDES[one.area + pointer]
          if (variable === undefined || !given.has(variable))
            return { pointer, origin, variable: null }
          return { pointer, origin: 'environment' as const, variable }
        }),
      })),
      variables: [...ctx.variables],
    }
  },
})
