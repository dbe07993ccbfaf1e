import { z } from 'zod'
import type { Area } from '../../../control-plane/src/catalogue.ts'

const GreetingSettings = z.strictObject({ salutation: z.string() })

export const greetingSettings: Area<z.infer<typeof GreetingSettings>> = {
  name: 'greetings',
  schema: GreetingSettings,
  initial: { salutation: 'Hello' },
}
