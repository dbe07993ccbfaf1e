import * as audit from './audit/routes.ts'
import * as factors from './domains/auth/routes/factors.ts'
import * as recovery from './domains/auth/routes/recovery.ts'
import * as security from './domains/auth/routes/security.ts'
import * as auth from './domains/auth/routes/sessions.ts'
import * as tokens from './domains/auth/routes/tokens.ts'
import * as customers from './domains/customers/routes.ts'
import * as email from './domains/email/routes.ts'
import * as limits from './domains/limits/routes.ts'
import * as metrics from './domains/metrics/routes.ts'
import * as nodes from './domains/nodes/routes.ts'
import * as notifications from './domains/notifications/routes.ts'
import * as overview from './domains/overview/routes.ts'
import * as plans from './domains/plans/routes.ts'
import * as serverActivity from './domains/servers/routes/activity.ts'
import * as serverConsole from './domains/servers/routes/console.ts'
import * as serverJobs from './domains/servers/routes/jobs.ts'
import * as selfService from './domains/servers/routes/self-service.ts'
import * as servers from './domains/servers/routes/servers.ts'
import * as serverSettings from './domains/servers/routes/settings.ts'
import * as sharing from './domains/servers/routes/sharing.ts'
import * as templateServers from './domains/servers/routes/template-versions.ts'
import * as settings from './domains/settings/routes.ts'
import * as signup from './domains/signup/routes.ts'
import * as team from './domains/team/routes.ts'
import * as templates from './domains/templates/routes.ts'
import * as virtualization from './domains/virtualization/routes.ts'
import * as vmAgents from './domains/vms/routes/agents.ts'
import * as vmMoves from './domains/vms/routes/moves.ts'
import * as vmSnapshots from './domains/vms/routes/snapshots.ts'
import * as vms from './domains/vms/routes/vms.ts'
import * as description from './http/description.ts'
import type { ApiOf } from './http/endpoint.ts'
import * as jobs from './jobs/routes.ts'
import * as live from './live/routes.ts'
import * as settingOrigins from './operators/setting-origins.ts'

/** Every endpoint, the lower domains first. Start here to find where something lives. */
export const routes = {
  ...description,
  ...live,
  ...jobs,
  ...settings,
  ...customers,
  ...auth,
  ...recovery,
  ...factors,
  ...tokens,
  ...security,
  ...team,
  ...email,
  ...notifications,
  ...templates,
  ...plans,
  ...limits,
  ...nodes,
  ...virtualization,
  ...servers,
  ...serverSettings,
  ...serverConsole,
  ...serverActivity,
  ...serverJobs,
  ...sharing,
  ...templateServers,
  ...selfService,
  ...vms,
  ...vmSnapshots,
  ...vmMoves,
  ...vmAgents,
  ...metrics,
  ...overview,
  ...signup,
  ...settingOrigins,
  ...audit,
}

export type Api = ApiOf<typeof routes>
