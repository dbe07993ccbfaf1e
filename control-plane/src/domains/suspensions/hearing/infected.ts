import type { Ctx } from '../../../context.ts'
import type { EventCatalogue } from '../../../events/catalogue.ts'
import { findUser } from '../../customers/index.ts'
import { customerOf } from '../appeals/appeal-store.ts'
import { APPEAL_MESSAGE } from '../appeals/view.ts'

/** Notifies of a file of an appeal that a scanner refused. */
export async function tellInfected(
  ctx: Ctx,
  { name, why, message }: EventCatalogue['attachment.infected'],
): Promise<void> {
  if (message?.kind !== APPEAL_MESSAGE) return
  const userId = await customerOf(ctx.db, message.id)
  const customer = userId === undefined ? undefined : await findUser(ctx.db, userId)
  if (!customer) return
  const { id, email } = customer
  await ctx.emit('appeal.file_infected', { userId: id, email, name, why })
}
