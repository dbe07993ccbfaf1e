import account from './account/index.ts'
import appearance from './appearance/index.ts'
import audit from './audit/index.ts'
import billing from './billing/index.ts'
import customers from './customers/index.ts'
import deskMail from './desk-mail/index.ts'
import email from './email/index.ts'
import entrance from './entrance/index.ts'
import failover from './failover/index.ts'
import files from './files/index.ts'
import jobs from './jobs/index.ts'
import nodes from './nodes/index.ts'
import notifications from './notifications/index.ts'
import overview from './overview/index.ts'
import plans from './plans/index.ts'
import pluginPages from './plugin-pages/index.ts'
import plugins from './plugins/index.ts'
import schedules from './schedules/index.ts'
import servers from './servers/index.ts'
import setUp from './set-up/index.ts'
import settings from './settings/index.ts'
import signUps from './sign-ups/index.ts'
import status from './status/index.ts'
import support from './support/index.ts'
import team from './team/index.ts'
import templates from './templates/index.ts'
import tickets from './tickets/index.ts'
import tokens from './tokens/index.ts'
import usageReports from './usage-reports/index.ts'
import virtualization from './virtualization/index.ts'
import vms from './vms/index.ts'

/**
 * Every folder of pages. Routes, navigation, palette, server tabs and live updates are composed
 * from these, in this order.
 */
export const pages = [
  entrance,
  setUp,
  overview,
  servers,
  files,
  vms,
  schedules,
  nodes,
  jobs,
  failover,
  templates,
  virtualization,
  plans,
  billing,
  customers,
  signUps,
  tickets,
  support,
  deskMail,
  status,
  team,
  tokens,
  account,
  notifications,
  appearance,
  email,
  plugins,
  pluginPages,
  audit,
  settings,
  usageReports,
] as const
