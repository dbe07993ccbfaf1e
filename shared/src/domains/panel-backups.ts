import { declare } from './declare.ts'
import { jobKindOf } from './job-kind.ts'

/** Copies of the panel itself. */
export const panelBackups = declare({
  problems: {
    panel_backup_running: { status: 409, title: 'A backup of the panel is being made' },
    panel_backup_failed: { status: 502, title: 'The panel could not be backed up' },
  },
  jobKinds: {
    'panel.backup': { ...jobKindOf(true), long: true, ownNotice: true },
  },
})
