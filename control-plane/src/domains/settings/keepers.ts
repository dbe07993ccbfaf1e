import { deleteOldRecords } from '../../audit/retention.ts'
import { keeper } from '../../jobs/keeper.ts'
import { securitySettings } from './security.ts'
import { readSettings } from './store.ts'

export const settingsKeepers = [
  keeper('audit.retention', 3600, async (services) => {
    const { auditDays } = await readSettings(services.db, securitySettings)
    return deleteOldRecords(services, auditDays)
  }),
]
