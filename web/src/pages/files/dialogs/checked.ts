import { z } from 'zod'
import { t } from './words.ts'

/** The field `name` of a form, with a check of its own. */
export const nameThat = (isRight: (name: string) => boolean): z.ZodType =>
  // A function: which language is spoken is known when it is used.
  z.object({ name: z.string().refine(isRight, { error: () => t.notAName }) })
