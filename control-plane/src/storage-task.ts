import { type PeriodicTask, periodicTask } from './jobs/periodic-task.ts'
import type { StorageState } from './storage.ts'

/** Logs when the disk fills up and when it has room again. */
export function storageTask(): PeriodicTask {
  let reported: StorageState['level'] = 'ok'
  return periodicTask('storage', 5, async ({ storage, log }) => {
    const { level, summary } = storage.look()
    if (level === reported) return {}
    reported = level
    if (level === 'full')
      log.error({ code: 'storage_full' }, `${summary}. Nothing can be changed until there is room.`)
    else if (level === 'nearly_full') log.warn({ code: 'storage_nearly_full' }, summary)
    else log.warn('The disk of the control plane has room again')
    return {}
  })
}
