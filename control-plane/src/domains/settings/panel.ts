import { z } from 'zod'
import type { Area } from '../../catalogue.ts'

const PanelSettings = z.strictObject({
  /** Origin at which the first administrator was created, as sent by the browser. */
  origin: z.url().nullable(),
})

export const panelSettings: Area<z.infer<typeof PanelSettings>> = {
  name: 'panel',
  schema: PanelSettings,
  initial: { origin: null },
}
