import { z } from 'zod'
import { t } from './words.ts'

/** The field `name` of a form, with a custom check. */
export const nameThat = (isRight: (name: string) => boolean): z.ZodType =>
  // Created on use, because texts need the chosen language.
  z.object({ name: z.string().refine(isRight, { error: () => t.notAName }) })
