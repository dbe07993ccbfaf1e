import { attachments } from './attachments.ts'
import { audit } from './audit.ts'
import { auth } from './auth.ts'
import { backups } from './backups.ts'
import { billing } from './billing.ts'
import { branding } from './branding.ts'
import { clones } from './clones.ts'
import { customers } from './customers.ts'
import { email } from './email.ts'
import { failover } from './failover.ts'
import { files } from './files.ts'
import { http } from './http.ts'
import { jobs } from './jobs.ts'
import { limits } from './limits.ts'
import { moves } from './moves.ts'
import { nodes } from './nodes.ts'
import { panelBackups } from './panel-backups.ts'
import { plans } from './plans.ts'
import { plugins } from './plugins.ts'
import { schedules } from './schedules.ts'
import { servers } from './servers.ts'
import { settings } from './settings.ts'
import { signup } from './signup.ts'
import { status } from './status.ts'
import { support } from './support.ts'
import { suspensions } from './suspensions.ts'
import { team } from './team.ts'
import { templates } from './templates.ts'
import { usageReports } from './usage-reports.ts'
import { virtualization } from './virtualization.ts'
import { vms } from './vms.ts'

/**
 * What each domain declares for the panel and the API alike; the order is that of the permissions on
 * the page of the team. `permissions.ts`, `problems.ts` and `job-kinds.ts` are derived from it.
 */
export const declared = [
  http,
  servers,
  vms,
  files,
  backups,
  panelBackups,
  schedules,
  clones,
  moves,
  failover,
  nodes,
  virtualization,
  templates,
  customers,
  suspensions,
  plans,
  billing,
  limits,
  auth,
  jobs,
  support,
  attachments,
  status,
  signup,
  team,
  branding,
  email,
  plugins,
  audit,
  settings,
  usageReports,
] as const
