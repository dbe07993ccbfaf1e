import { z } from 'zod'
import type { System } from '../../actor.ts'
import type { Area } from '../../catalogue.ts'
import { type Ctx, contextFor } from '../../context.ts'
import { lockScope } from '../../db/advisory-locks.ts'
import type { Db } from '../../db/database.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { readSettings, writeSettings } from '../settings/index.ts'
import { mailSettings } from './settings.ts'
import { mailsStuck } from './trouble-store.ts'

/** A restart of the mail server is no trouble: the third attempt comes after six minutes. */
const LEAST_ATTEMPTS = 3

/** No mail goes out. */
export interface MailTrouble {
  readonly waiting: number
  /** When the oldest waiting mail was queued. */
  readonly since: Date
  /** What the mail server said last. */
  readonly error: string
}

/** Why no mail goes out; undefined while mail works. */
export const mailTrouble = async (db: Db): Promise<MailTrouble | undefined> =>
  (await mailSettings(db)).host === null ? undefined : mailsStuck(db, LEAST_ATTEMPTS)

/** Separate from the settings of mail, which people edit. */
const toldArea: Area<{ toldAt: string | null }> = {
  name: 'mail-trouble',
  schema: z.strictObject({ toldAt: z.iso.datetime().nullable() }),
  initial: { toldAt: null },
}

/** Notifies once that no mail goes out, until one does; across all instances. */
export const tellTrouble = (ctx: Ctx<System>): Promise<boolean> =>
  ctx.transaction(async (ctx) => {
    await lockScope(ctx.db, toldArea.name)
    const { toldAt } = await readSettings(ctx.db, toldArea)
    const trouble = await mailTrouble(ctx.db)
    if ((trouble === undefined) === (toldAt === null)) return false
    await writeSettings(ctx.db, toldArea, { toldAt: trouble ? ctx.now.toISOString() : null })
    if (!trouble) return false
    await ctx.emit('email.failing', trouble)
    return true
  })

export const mailTroubleTask = periodicTask('email.trouble', 60, async (services) => {
  const ctx = contextFor(services, { kind: 'system' } as const)
  return { notified: Number(await tellTrouble(ctx)) }
})
