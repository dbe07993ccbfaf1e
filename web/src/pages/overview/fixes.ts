import type { Reply } from '../../api.ts'
import { entryOf } from '../../ui/data/known.ts'
import { t } from './words.ts'

type Kind = Reply<'GET /api/overview'>['attention'][number]['kind']

const FIXES: Readonly<Record<Kind, () => string>> = {
  storage_full: () => t.openEnvironment,
  state_rollback_detected: () => t.openFailover,
  work_off: () => t.openEnvironment,
  storage_nearly_full: () => t.openEnvironment,
  mail_failing: () => t.openMail,
  database_role: () => t.openEnvironment,
  panel_backup_overdue: () => t.openBackups,
  panel_backup_failed: () => t.openBackups,
  appeal_waiting: () => t.openAppeal,
  node_offline: () => t.openNode,
  preflight_failed: () => t.openChecks,
  job_failed: () => t.openJobs,
  server_install_failed: () => t.openServer,
  server_crashed: () => t.openServer,
  node_disk_full: () => t.openNode,
  node_over_capacity: () => t.openNode,
  agent_outdated: () => t.openNode,
}

/** The button beside each kind of problem: the page where it can be fixed. */
export const fixFor = (kind: Kind): string => entryOf(FIXES, kind, () => () => t.openPage)()
