import { declare } from './declare.ts'
import { onDisks } from './job-kind.ts'

/** Copies of servers that outlive mistakes. */
export const backups = declare({
  problems: {
    backup_locked: { status: 409, title: 'The backup is locked' },
    backup_incomplete: { status: 409, title: 'The backup is not complete' },
    backup_damaged: { status: 502, title: 'The backup cannot be read' },
  },
  jobKinds: {
    'backup.create': onDisks,
    'backup.restore': onDisks,
    'backup.restore-secured': onDisks,
    'backup.restore-files': onDisks,
    'backup.restore-files-keeping': onDisks,
    'backup.verify': {
      ...onDisks,
      concurrencyGroup: 'verification',
      tellsOnlyStarter: true,
    },
    'backup.delete': { ...onDisks, cancellable: false, long: false },
  },
})
