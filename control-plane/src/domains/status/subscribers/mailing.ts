import { panelPath, served } from '@lodge/shared/panel-paths.ts'
import type { Ctx } from '../../../context.ts'
import { readerIn } from '../../../moment-text.ts'
import { wordsFor } from '../../../said-in.ts'
import { queueMail } from '../../email/index.ts'
import { listComponents } from '../components/store.ts'
import { componentsOf } from '../incidents/store.ts'
import { statusUpdate } from '../mails.ts'
import { statusSettings } from '../settings.ts'
import { t } from '../words.ts'
import * as store from './store.ts'
import { unsubscribeToken } from './subscribe.ts'

/** How many mails are queued in one transaction. */
const BATCH = 100

/** Records, in the transaction of an update, that it has to be mailed. */
export async function mailUpdate(ctx: Ctx, updateId: string): Promise<void> {
  const { enabled, subscriptions } = await statusSettings(ctx.db)
  if (enabled && subscriptions) await store.insertMailing(ctx.db, updateId)
}

/** Queues the next mails of an update, one for each subscriber. @returns how many */
export const mailSubscribers = (ctx: Ctx): Promise<number> =>
  ctx.transaction(async (ctx) => {
    const mailing = await store.lockMailing(ctx.db)
    if (!mailing) return 0
    const people = await store.nextSubscribers(ctx.db, mailing, BATCH)
    const components = await namesOf(ctx, mailing.incidentId)
    for (const { id, address, language } of people) {
      const token = unsubscribeToken(ctx, id)
      await queueMail(ctx, statusUpdate, {
        to: address,
        userId: null,
        unsubscribeUrl: `${ctx.panelUrl}/api/status/unsubscribe/${token}`,
        reader: readerIn(language),
        variables: (reader) => ({
          title: mailing.title,
          state: wordsFor(t, reader).stateOf({ state: mailing.state }),
          components,
          text: mailing.body,
          page: `${ctx.panelUrl}${panelPath('statusEntry', { id: mailing.incidentId })}`,
          unsubscribe: `${ctx.panelUrl}${served.statusUnsubscribe}?token=${token}`,
        }),
      })
    }
    const last = people.at(-1)
    if (last && people.length === BATCH) await store.moveMailing(ctx.db, mailing.updateId, last.id)
    else await store.endMailing(ctx.db, mailing.updateId)
    return people.length
  })

/** Names of the publicly visible components. */
async function namesOf({ db }: Ctx, incidentId: string): Promise<string> {
  const ids = (await componentsOf(db, [incidentId])).get(incidentId) ?? []
  const shown = (await listComponents(db)).filter((one) => one.shown && ids.includes(one.id))
  return shown.map(({ name }) => name).join(', ')
}
