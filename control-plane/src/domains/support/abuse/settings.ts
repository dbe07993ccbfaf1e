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

/** Whether reports are accepted; while they are off, their endpoints answer not found. */
export const takesReports = async (db: Db): Promise<boolean> =>
  (await readSettings(db, abuseArea)).enabled

/** @throws {Problem} validation_failed */
export async function changeAbuseSettings(ctx: Ctx, given: AbuseSettings): Promise<AbuseSettings> {
  // Otherwise the strangers' form would reveal the error.
  if (given.groupId !== null && !(await findGroup(ctx.db, given.groupId)))
    throw invalid([{ pointer: '/groupId', detail: 'is no group' }])
  return writeSettings(ctx.db, abuseArea, given)
}
