import { DEFAULT_DESK_SETTINGS, DeskSettings } from '@lodge/shared/support/desk.ts'
import type { Area } from '../../../catalogue.ts'

export const deskSettings: Area<DeskSettings> = {
  name: 'support',
  schema: DeskSettings,
  initial: DEFAULT_DESK_SETTINGS,
}
