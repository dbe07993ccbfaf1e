import { z } from 'zod'

/** The permissions of administrators. The super administrator holds all of them. */
export const ADMIN_PERMISSIONS = {
  'servers.view': 'See every server',
  'servers.create': 'Create servers',
  'servers.edit': 'Change name and size of servers',
  'servers.delete': 'Delete servers',
  'servers.power': 'Start, stop and restart servers',
  'servers.console': 'Read and use consoles',
  'servers.files': 'Read and change files of servers',
  'servers.backups': 'Make, restore and remove backups',
  'servers.suspend': 'Suspend servers',
  'servers.force_limits': 'Exceed the limits of a customer',
  'nodes.view': 'See nodes',
  'nodes.manage': 'Add, change and remove nodes',
  'virtualization.manage': 'Register media, networks and hardware profiles of virtual machines',
  'templates.view': 'See templates with their commands',
  'templates.manage': 'Create, change and import templates',
  'customers.view': 'See customers',
  'customers.manage': 'Create and change customers',
  'customers.view_as': 'See the panel as a customer does, without changing anything',
  'customers.quota': 'Set limits of a customer by hand',
  'customers.approve': 'Approve and reject sign-ups',
  'plans.view': 'See plans and how many customers have them',
  'plans.manage': 'Create, change and archive plans',
  'limits.settings': 'Change how limits are used and their defaults',
  'tokens.manage': 'Create and revoke API tokens',
  'jobs.view': 'See every job',
  'jobs.manage': 'Cancel every job and try it again',
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

export const TOKEN_SCOPES = ['read', 'provision', 'suspend'] as const
export type TokenScope = (typeof TOKEN_SCOPES)[number]

const all = AdminPermission.options
const within = (...areas: string[]) => all.filter((one) => areas.includes(one.split('.')[0] ?? ''))

/** Permission sets for common roles; a person's permissions may be changed one by one afterwards. */
export const ADMIN_PRESETS: Readonly<Record<string, readonly AdminPermission[]>> = {
  administrator: all.filter((one) => one !== 'team.manage' && one !== 'tokens.manage'),
  operator: within('servers', 'nodes', 'virtualization', 'templates', 'jobs'),
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
    'customers.view_as',
    'customers.approve',
    'servers.view',
    'servers.power',
    'servers.console',
    'servers.suspend',
    'jobs.view',
    'email.view',
  ],
  billing: [
    ...within('plans'),
    'customers.view',
    'customers.manage',
    'customers.quota',
    'limits.settings',
  ],
  content: within('email'),
  read_only: all.filter((one) => one.endsWith('.view')),
}
