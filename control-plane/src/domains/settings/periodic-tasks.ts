import { deleteOldRecords } from '../../audit/retention.ts'
import { periodicTask } from '../../jobs/periodic-task.ts'
import { securitySettings } from './security.ts'
import { readSettings } from './store.ts'

export const settingsPeriodicTasks = [
  periodicTask('audit.retention', 3600, async (services) => {
    const { auditDays } = await readSettings(services.db, securitySettings)
    return deleteOldRecords(services, auditDays)
  }),
]
