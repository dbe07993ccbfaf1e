import { z } from 'zod'
import type { Methods } from './method.ts'

/** What every plugin may have. */
export const PLUGIN_METHODS = {
  'plugin.health': {
    request: z.object({}),
    reply: z.object({ ok: z.boolean(), message: z.string().max(500) }),
  },
} as const satisfies Methods
