import { keeper } from '../jobs/keeper.ts'
import { deleteOldRecords } from './retention.ts'
import { sealRecorded } from './seal.ts'

export const auditKeepers = [
  keeper('audit.seal', 1, (services) => sealRecorded(services)),
  keeper('audit.retention', 3600, (services) => deleteOldRecords(services)),
]
