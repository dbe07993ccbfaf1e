import { type Ctx, contextFor } from '../../context.ts'
import { oneByOne } from '../../jobs/one-by-one.ts'
import type { Services } from '../../services.ts'
import { deleteAttachments } from '../attachments/index.ts'
import { readSettings } from '../settings/index.ts'
import { deleteMessages } from './appeals/appeal-store.ts'
import { APPEAL_MESSAGE } from './appeals/view.ts'
import { suspensionSettings } from './settings.ts'
import * as store from './store.ts'

/** Erases what people wrote in suspensions that ended long ago; that they were stays, and when. */
export async function eraseOld(services: Services): Promise<number> {
  const ctx = contextFor(services, { kind: 'system' } as const)
  const { retentionDays } = await readSettings(ctx.db, suspensionSettings)
  return await oneByOne(services, await store.toErase(ctx.db, retentionDays), (id) =>
    ctx.transaction(async (ctx) => {
      await deleteConversation(ctx, id)
      await store.eraseTexts(ctx.db, id, ctx.now)
      return true
    }),
  )
}

/** The files of a removed customer go with their messages. */
export async function forgetCustomer(ctx: Ctx, customerId: string): Promise<void> {
  for (const { id } of await store.listSuspensions(ctx.db, customerId))
    await deleteConversation(ctx, id)
}

async function deleteConversation(ctx: Ctx, suspensionId: string): Promise<void> {
  await deleteAttachments(ctx, APPEAL_MESSAGE, await deleteMessages(ctx.db, suspensionId))
}
