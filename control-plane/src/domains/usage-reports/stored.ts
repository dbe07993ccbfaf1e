import { StoredUsage } from '@lodge/shared/usage-reports.ts'
import type { Area } from '../../catalogue.ts'
import type { Ctx } from '../../context.ts'
import type { Db } from '../../db/database.ts'
import { lockSettings, readSettings, writeSettings } from '../settings/index.ts'

/** Not shown with the other areas, because it also stores internal notes. */
const area: Area<StoredUsage> = {
  name: 'usage-reports',
  schema: StoredUsage,
  initial: {
    config: null,
    consent: null,
    challenge: null,
    connection: null,
    failure: null,
    revoked: false,
    nextReportAt: null,
    reports: [],
  },
}

/** The context of its secrets for the vault. */
export const placeOf = (column: 'deviceCode' | 'token') =>
  ({ table: 'settings', id: area.name, column }) as const

export const readUsage = (db: Db): Promise<StoredUsage> => readSettings(db, area)

/** Changes the stored state under a lock. @returns the new state */
export const changeUsage = (
  ctx: Pick<Ctx, 'transaction'>,
  change: (present: StoredUsage) => StoredUsage,
): Promise<StoredUsage> =>
  ctx.transaction(async ({ db }) => {
    const present = await lockSettings(db, area)
    const next = change(present)
    return next === present ? present : await writeSettings(db, area, next)
  })

/** The state after a disconnection: no token, no code, no waiting reports. */
export const disconnected = (present: StoredUsage): StoredUsage => ({
  ...present,
  challenge: null,
  connection: null,
  failure: null,
  revoked: false,
  nextReportAt: null,
  reports: present.reports.filter(({ state }) => state !== 'queued'),
})
