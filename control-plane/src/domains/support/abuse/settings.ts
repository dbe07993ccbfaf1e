import { type AbuseSettings, AbuseSettings as Stored } from '@lodge/shared/support/abuse.ts'
import type { Area } from '../../../catalogue.ts'
import type { Ctx } from '../../../context.ts'
import type { Db } from '../../../db/database.ts'
import { invalid } from '../../../http/input.ts'
import { readSettings, writeSettings } from '../../settings/index.ts'
import { findGroup } from '../categories/store.ts'

export const abuseArea: Area<AbuseSettings> = {
  name: 'abuse_reports',
  schema: Stored,
  initial: { enabled: true, groupId: null },
}

/** While reports are off, their addresses are like those of nothing. */
export const takesReports = async (db: Db): Promise<boolean> =>
  (await readSettings(db, abuseArea)).enabled

/** @throws {Problem} validation_failed */
export async function changeAbuseSettings(ctx: Ctx, given: AbuseSettings): Promise<AbuseSettings> {
  // Otherwise the form of strangers would be where it shows.
  if (given.groupId !== null && !(await findGroup(ctx.db, given.groupId)))
    throw invalid([{ pointer: '/groupId', detail: 'is no group' }])
  return writeSettings(ctx.db, abuseArea, given)
}
