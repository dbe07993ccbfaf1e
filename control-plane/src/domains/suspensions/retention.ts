import { type Ctx, contextFor } from '../../context.ts'
import { oneByOne } from '../../jobs/one-by-one.ts'
import type { Services } from '../../services.ts'
import { deleteAttachments } from '../attachments/index.ts'
import { readSettings } from '../settings/index.ts'
import { deleteMessages } from './appeals/appeal-store.ts'
import { APPEAL_MESSAGE } from './appeals/view.ts'
import { suspensionSettings } from './settings.ts'
import * as store from './store.ts'

/** Erases the texts of suspensions that ended long ago; their existence and dates are kept. */
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

/** Deletes the files of a deleted customer with their messages. */
export async function forgetCustomer(ctx: Ctx, customerId: string): Promise<void> {
  for (const { id } of await store.listSuspensions(ctx.db, customerId))
    await deleteConversation(ctx, id)
}

async function deleteConversation(ctx: Ctx, suspensionId: string): Promise<void> {
  await deleteAttachments(ctx, APPEAL_MESSAGE, await deleteMessages(ctx.db, suspensionId))
}
