/**
 * Every address of the panel. The panel declares its routes with these, and the server writes only
 * these into mails, notifications and responses.
 */
export const paths = {
  home: '/',
  signIn: '/login',
  signUp: '/signup',
  verify: '/verify',
  forgot: '/forgot',
  recover: '/recover',
  accept: '/accept',
  join: '/join',
  secondFactor: '/second-factor',
  confirmEmail: '/confirm-email',
  undoEmail: '/undo-email',
  verifyChannel: '/verify-channel',
  unsubscribe: '/unsubscribe',
  reportAbuse: '/abuse',
  reportStatus: '/abuse/status',
  helpCenter: '/help',
  helpArticle: '/help/$slug',
  setUp: '/setup',
  setUpNode: '/setup/node',
  setUpServer: '/setup/server',
  servers: '/servers',
  newServer: '/servers/new',
  server: '/servers/$id',
  serverConsole: '/servers/$id/console',
  serverFiles: '/servers/$id/files',
  editFile: '/servers/$id/files/edit',
  serverNetwork: '/servers/$id/network',
  serverStartup: '/servers/$id/startup',
  serverMetrics: '/servers/$id/metrics',
  serverBackups: '/servers/$id/backups',
  serverCrashes: '/servers/$id/crashes',
  serverScreen: '/servers/$id/screen',
  serverSerial: '/servers/$id/serial',
  serverHardware: '/servers/$id/hardware',
  serverSnapshots: '/servers/$id/snapshots',
  serverMove: '/servers/$id/move',
  serverSchedules: '/servers/$id/schedules',
  newSchedule: '/servers/$id/schedules/new',
  schedule: '/servers/$id/schedules/$scheduleId',
  editSchedule: '/servers/$id/schedules/$scheduleId/edit',
  serverSharing: '/servers/$id/access',
  serverSettings: '/servers/$id/settings',
  serverPluginPage: '/servers/$id/pages/$plugin/$page',
  screenWindow: '/windows/screen/$id',
  consoleWindow: '/windows/console/$id',
  store: '/store',
  billing: '/billing',
  jobs: '/jobs',
  account: '/account',
  accountKeys: '/account/keys',
  accountSecurity: '/account/security',
  accountLimits: '/account/limits',
  accountNotifications: '/account/notifications',
  notifications: '/notifications',
  tickets: '/support',
  newTicket: '/support/new',
  ticket: '/support/$id',
  pluginPage: '/pages/$plugin/$page',
  transfer: '/team/transfer',
  overview: '/admin',
  plugins: '/admin/plugins',
  plugin: '/admin/plugins/$id',
  adminPluginPage: '/admin/pages/$plugin/$page',
  nodes: '/admin/nodes',
  failover: '/admin/failover',
  failoverPlan: '/admin/failover/$id',
  newNode: '/admin/nodes/new',
  node: '/admin/nodes/$id',
  nodeServers: '/admin/nodes/$id/servers',
  nodeMetrics: '/admin/nodes/$id/metrics',
  nodeHardware: '/admin/nodes/$id/hardware',
  nodeChecks: '/admin/nodes/$id/checks',
  nodeLog: '/admin/nodes/$id/log',
  nodeEvacuation: '/admin/nodes/$id/evacuation',
  virtualization: '/admin/virtualization',
  templates: '/admin/templates',
  newTemplate: '/admin/templates/new',
  writeTemplate: '/admin/templates/write',
  template: '/admin/templates/$id',
  editTemplate: '/admin/templates/$id/edit',
  deskMail: '/admin/desk/mail',
  macros: '/admin/desk/macros',
  articles: '/admin/desk/articles',
  newArticle: '/admin/desk/articles/new',
  article: '/admin/desk/articles/$slug',
  desk: '/admin/desk',
  deskTicket: '/admin/desk/$id',
  deskSettings: '/admin/desk/settings',
  deskCategories: '/admin/desk/settings/categories',
  deskGroups: '/admin/desk/settings/groups',
  deskReports: '/admin/desk/reports',
  deskRules: '/admin/desk/settings/rules',
  deskHours: '/admin/desk/settings/hours',
  deskTiers: '/admin/desk/settings/tiers',
  plans: '/admin/plans',
  newPlan: '/admin/plans/new',
  plan: '/admin/plans/$id',
  subscribers: '/admin/subscribers',
  invoices: '/admin/invoices',
  revenue: '/admin/revenue',
  imports: '/admin/imports',
  tokens: '/admin/tokens',
  customers: '/admin/customers',
  newCustomer: '/admin/customers/new',
  customer: '/admin/customers/$id',
  customerServers: '/admin/customers/$id/servers',
  customerLimits: '/admin/customers/$id/limits',
  customerNotes: '/admin/customers/$id/notes',
  customerSignIns: '/admin/customers/$id/sign-ins',
  customerSuspension: '/admin/customers/$id/suspension',
  customerActivity: '/admin/customers/$id/activity',
  pending: '/admin/pending',
  invites: '/admin/invites',
  team: '/admin/team',
  email: '/admin/email',
  emailTemplates: '/admin/email/templates',
  emailTemplate: '/admin/email/templates/$template',
  audit: '/admin/audit',
  statusIncidents: '/admin/status',
  statusIncident: '/admin/status/incidents/$id',
  statusComponents: '/admin/status/components',
  statusSettings: '/admin/status/settings',
  appearance: '/admin/appearance',
  usageReports: '/admin/usage',
  settings: '/admin/settings',
  settingsSecurity: '/admin/settings/security',
  settingsSelfService: '/admin/settings/self-service',
  settingsLimits: '/admin/settings/limits',
  settingsBackups: '/admin/settings/backups',
  settingsSuspension: '/admin/settings/suspension',
  settingsMail: '/admin/settings/mail',
  settingsEnvironment: '/admin/settings/environment',
} as const

/** Pages that the server serves itself, outside the panel. */
export const served = {
  problem: '/problems/$code',
  apiDocs: '/docs/api',
  helpIndex: '/docs/help',
  help: '/docs/help/$name',
  pluginFrame: '/frames/plugins/$plugin/$page/$digest',
  statusPage: '/status',
  statusHistory: '/status/history',
  statusEntry: '/status/incidents/$id',
  statusFeed: '/status/feed.atom',
  statusConfirm: '/status/confirm',
  statusUnsubscribe: '/status/unsubscribe',
} as const

const addresses = { ...paths, ...served } as const
export type PathName = keyof typeof addresses

/** Names of the parameters, e.g. `id` in `/servers/$id/console`. */
type PartsOf<P extends string> = P extends `${string}$${infer Part}/${infer Rest}`
  ? Part | PartsOf<Rest>
  : P extends `${string}$${infer Part}`
    ? Part
    : never

/** Pages without parameters. */
export type PlainPathName = {
  [N in PathName]: [PartsOf<(typeof addresses)[N]>] extends [never] ? N : never
}[PathName]

declare const made: unique symbol
/** An address inside the panel; only `panelPath` creates one, so none can be a dead link. */
export type PanelPath = string & { readonly [made]: true }

/** The address of a page, e.g. `panelPath('node', { id })`. */
export function panelPath<N extends PathName>(
  name: N,
  ...[parts]: N extends PlainPathName
    ? []
    : [parts: Readonly<Record<PartsOf<(typeof addresses)[N]>, string>>]
): PanelPath {
  const given: Readonly<Record<string, string>> = parts ?? {}
  return addresses[name].replaceAll(/\$(\w+)/g, (_all, part: string) =>
    encodeURIComponent(given[part] ?? ''),
  ) as PanelPath
}
