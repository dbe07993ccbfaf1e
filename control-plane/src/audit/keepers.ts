import { keeper } from '../jobs/keeper.ts'
import { sealRecorded } from './seal.ts'

export const auditKeepers = [keeper('audit.seal', 1, (services) => sealRecorded(services))]
