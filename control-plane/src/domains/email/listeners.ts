import type { Catalogue } from '../../catalogue.ts'
import type { Ctx } from '../../context.ts'
import type { EventHandlers } from '../../events/events.ts'
import type { Letter } from '../../events/mails.ts'
import { findUser } from '../customers/index.ts'
import { queueMail } from './outbox.ts'

/** Sends the letters that the domains declare for their events. */
export const emailListeners = ({ letters }: Catalogue): EventHandlers =>
  Object.fromEntries(
    Object.entries(letters).map(([event, lettersFor]) => [
      event,
      async (ctx: Ctx, payload: never) => {
        for (const one of [lettersFor(payload)].flat()) await send(ctx, one)
      },
    ]),
  )

async function send(ctx: Ctx, { mail, ...given }: Letter): Promise<void> {
  const to = given.to ?? (await addressOf(ctx, given.userId))
  if (to !== undefined) await queueMail<Letter['mail']>(ctx, mail, { ...given, to })
}

const addressOf = async ({ db }: Ctx, userId: string | null) =>
  userId === null ? undefined : (await findUser(db, userId))?.email
