import { keeper, watcher } from '../../jobs/keeper.ts'
import { sendDue } from './sender.ts'
import { DUE_MESSAGE, wipeOld } from './store.ts'

export const emailKeepers = [
  watcher('email.send', DUE_MESSAGE, (services) => sendDue(services)),
  keeper('email.wipe', 3600, ({ db }) => wipeOld(db)),
]
