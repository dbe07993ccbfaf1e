import { watcher } from '../jobs/keeper.ts'
import { sealRecorded } from './seal.ts'
import { ANY_UNSEALED } from './store.ts'

export const auditKeepers = [
  watcher('audit.seal', ANY_UNSEALED, (services) => sealRecorded(services)),
]
