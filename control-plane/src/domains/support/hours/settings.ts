import { BusinessHours } from '@lodge/shared/support/hours/business-hours.ts'
import type { Area } from '../../../catalogue.ts'

const office: [string, string][] = [['09:00', '17:00']]

/** When people answer tickets. */
export const hoursSettings: Area<BusinessHours> = {
  name: 'support_hours',
  schema: BusinessHours,
  initial: {
    timeZone: 'UTC',
    week: { mon: office, tue: office, wed: office, thu: office, fri: office, sat: [], sun: [] },
    holidays: [],
  },
}
