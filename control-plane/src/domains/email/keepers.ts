import { keeper } from '../../jobs/keeper.ts'
import { sendDue } from './sender.ts'
import { wipeOld } from './store.ts'

export const emailKeepers = [
  keeper('email.send', 1, (services) => sendDue(services)),
  keeper('email.wipe', 3600, ({ db }) => wipeOld(db)),
]
