import { z } from 'zod'
import type { Area } from '../../catalogue.ts'

const PanelSettings = z.strictObject({
  /** Address at which the first administrator was made, as the browser named it. */
  origin: z.url().nullable(),
})

export const panelSettings: Area<z.infer<typeof PanelSettings>> = {
  name: 'panel',
  schema: PanelSettings,
  initial: { origin: null },
}
