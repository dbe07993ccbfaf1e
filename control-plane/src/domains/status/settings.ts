import { StatusSettings } from '@lodge/shared/status.ts'
import type { Area } from '../../catalogue.ts'
import type { Db } from '../../db/database.ts'
import { mailIsConfigured } from '../email/index.ts'
import { readSettings } from '../settings/index.ts'

export const statusArea: Area<StatusSettings> = {
  name: 'status',
  schema: StatusSettings,
  initial: { enabled: false, title: '', intro: '', timeZone: 'UTC', subscriptions: false },
}

export const statusSettings = (db: Db): Promise<StatusSettings> => readSettings(db, statusArea)

/** Whether people may subscribe now: while no mail is sent, nobody could confirm an address. */
export const takesSubscriptions = async (db: Db, settings: StatusSettings): Promise<boolean> =>
  settings.enabled && settings.subscriptions && (await mailIsConfigured(db))
