import { type AbuseSettings, AbuseSettings as Stored } from '@lodge/shared/support/abuse.ts'
import type { Area } from '../../../catalogue.ts'

export const abuseArea: Area<AbuseSettings> = {
  name: 'abuse_reports',
  schema: Stored,
  initial: { enabled: true, groupId: null },
}
