import { z } from 'zod'
import type { Area } from '../../catalogue.ts'
import { get } from '../../http/endpoint.ts'
import { originsOf } from './origins.ts'
import { listStored } from './store.ts'

interface Stored {
  readonly value: unknown
  readonly updatedAt: Date
}

const describe = (area: Area<object>, stored: Stored | undefined) => ({
  area: area.name,
  variables: area.variables ?? {},
  changedAt: stored?.updatedAt.toISOString() ?? null,
  settings: originsOf(area, stored?.value),
})

export const listSettingOrigins = get('/api/settings/origins', {
  summary: 'Where each setting comes from: the default, the panel, or the environment',
  access: { who: 'admin', may: 'settings.manage' },
  reply: z.object({
    areas: z.array(
      z.object({
        area: z.string(),
        /** When it was last saved; null if never. */
        changedAt: z.iso.datetime().nullable(),
        settings: z.array(
          z.object({
            pointer: z.string(),
            origin: z.enum(['default', 'set', 'environment']),
            /** The environment variable that overrides it. */
            variable: z.string().nullable(),
            /** The built-in default; null if there is none. */
            default: z.unknown(),
          }),
        ),
      }),
    ),
    variables: z.array(
      z.object({
        name: z.string(),
        /** Null if unset or secret. */
        value: z.string().nullable(),
        isGiven: z.boolean(),
      }),
    ),
  }),
  handle: async ({ ctx }) => {
    const stored = await listStored(ctx.db)
    const given = new Set(ctx.variables.filter(({ isGiven }) => isGiven).map(({ name }) => name))
    const areas = ctx.catalogue.settings.map((area) => describe(area, stored.get(area.name)))
    return {
      areas: areas.map(({ variables, settings, ...area }) => ({
        ...area,
        settings: settings.map((setting) => {
          const variable = variables[setting.pointer]
          if (variable === undefined || !given.has(variable)) return { ...setting, variable: null }
          return { ...setting, origin: 'environment' as const, variable }
        }),
      })),
      variables: [...ctx.variables],
    }
  },
})
