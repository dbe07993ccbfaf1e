import { z } from 'zod'

/** What an administrator may be allowed to do. The super administrator holds all of them. */
export const ADMIN_PERMISSIONS = {
  'servers.view': 'See every server',
  'servers.create': 'Create servers',
  'servers.edit': 'Change name and size of servers',
  'servers.delete': 'Delete servers',
  'servers.power': 'Start, stop and restart servers',
  'servers.console': 'Read and use consoles',
  'servers.suspend': 'Suspend servers',
  'servers.force_limits': 'Exceed the limits of a customer',
  'nodes.view': 'See nodes',
  'nodes.manage': 'Add, change and remove nodes',
  'templates.view': 'See templates with their commands',
  'templates.manage': 'Create, change and import templates',
  'customers.view': 'See customers',
  'customers.manage': 'Create and change customers',
  'customers.quota': 'Set limits of a customer by hand',
  'customers.approve': 'Approve and reject sign-ups',
  'limits.settings': 'Change how limits are used and their defaults',
  'tokens.manage': 'Create and revoke API tokens',
  'jobs.view': 'See every job',
  'signup.manage': 'Change how people sign up and invite them',
  'team.view': 'See the administrators',
  'team.manage': 'Invite, change and remove administrators',
  'email.view': 'Read the mail that was sent',
  'email.manage': 'Change mail templates and send mail again',
  'audit.view': 'Read who changed what',
  'settings.manage': 'Change the settings of the installation',
} as const
export type AdminPermission = keyof typeof ADMIN_PERMISSIONS
export const AdminPermission = z.enum(
  Object.keys(ADMIN_PERMISSIONS) as [AdminPermission, ...AdminPermission[]],
)

/** What a collaborator of a server may be allowed to do. Its owner may do all of it. */
export const SERVER_PERMISSIONS = {
  view: 'See the server and its figures',
  power: 'Start, stop, restart and kill',
  console: 'Read the console and send commands',
  settings: 'Change variables and crash policy',
  network: 'Add and remove ports',
  reinstall: 'Install the server again',
} as const
export type ServerPermission = keyof typeof SERVER_PERMISSIONS

/** What an administrator needs in order to do to any server what its owner may do. */
export const ADMIN_COUNTERPART: Readonly<Record<ServerPermission, AdminPermission>> = {
  view: 'servers.view',
  power: 'servers.power',
  console: 'servers.console',
  settings: 'servers.edit',
  network: 'servers.edit',
  reinstall: 'servers.edit',
}

export const TOKEN_SCOPES = ['read', 'provision', 'suspend'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

const all = AdminPermission.options
const within = (...areas: string[]) => all.filter((one) => areas.includes(one.split('.')[0] ?? ''))

/** Sets of permissions for the usual jobs; a person's set may be changed one by one afterwards. */
export const ADMIN_PRESETS: Readonly<Record<string, readonly AdminPermission[]>> = {
  administrator: all.filter((one) => one !== 'team.manage' && one !== 'tokens.manage'),
  operator: within('servers', 'nodes', 'templates', 'jobs'),
  support_agent: [
    'customers.view',
    'servers.view',
    'servers.power',
    'servers.console',
    'jobs.view',
  ],
  support_lead: [
    'customers.view',
    'customers.manage',
    'customers.approve',
    'servers.view',
    'servers.power',
    'servers.console',
    'servers.suspend',
    'jobs.view',
    'email.view',
  ],
  billing: ['customers.view', 'customers.manage', 'customers.quota', 'limits.settings'],
  content: within('email'),
  read_only: all.filter((one) => one.endsWith('.view')),
}

/** Sets of what a collaborator of a server may do. */
export const SERVER_PRESETS: Readonly<Record<string, readonly ServerPermission[]>> = {
  viewer: ['view'],
  operator: ['view', 'power', 'console'],
  developer: ['view', 'power', 'console', 'settings', 'network'],
  full: Object.keys(SERVER_PERMISSIONS) as ServerPermission[],
}
