import { attachments } from './attachments/domain.ts'
import { auth } from './auth/domain.ts'
import { backups } from './backups/domain.ts'
import { billing } from './billing/domain.ts'
import { branding } from './branding/domain.ts'
import { clones } from './clones/domain.ts'
import { customers } from './customers/domain.ts'
import { email } from './email/domain.ts'
import { failover } from './failover/domain.ts'
import { files } from './files/domain.ts'
import { limits } from './limits/domain.ts'
import { metrics } from './metrics/domain.ts'
import { moves } from './moves/domain.ts'
import { nodes } from './nodes/domain.ts'
import { notifications } from './notifications/domain.ts'
import { overview } from './overview/domain.ts'
import { panelBackups } from './panel-backups/domain.ts'
import { plans } from './plans/domain.ts'
import { pluginPages } from './plugin-pages/domain.ts'
import { plugins } from './plugins/domain.ts'
import { schedules } from './schedules/domain.ts'
import { servers } from './servers/domain.ts'
import { settings } from './settings/domain.ts'
import { sftp } from './sftp/domain.ts'
import { signup } from './signup/domain.ts'
import { status } from './status/domain.ts'
import { support } from './support/domain.ts'
import { suspensions } from './suspensions/domain.ts'
import { team } from './team/domain.ts'
import { templates } from './templates/domain.ts'
import { usageReports } from './usage-reports/domain.ts'
import { virtualization } from './virtualization/domain.ts'
import { vms } from './vms/domain.ts'

/**
 * Every domain, bottom to top: a domain imports only those before it and learns of those after it
 * through events. New domains are added only here.
 */
export const domains = [
  settings,
  customers,
  auth,
  team,
  branding,
  email,
  plugins,
  notifications,
  templates,
  plans,
  limits,
  attachments,
  nodes,
  virtualization,
  servers,
  pluginPages,
  vms,
  files,
  sftp,
  backups,
  panelBackups,
  schedules,
  clones,
  moves,
  failover,
  suspensions,
  billing,
  metrics,
  signup,
  support,
  status,
  overview,
  usageReports,
] as const
