/**
 * The documents for people who use the panel, by the name of their file in `docs/help`, with their
 * titles. Pages of the panel name the one that explains them.
 */
export const HELP = {
  servers: 'Servers',
  console: 'The console',
  files: 'Files',
  sftp: 'SFTP and SSH keys',
  backups: 'Backups',
  network: 'Addresses and ports',
  crashes: 'Crashes and restarts',
  schedules: 'Schedules',
  sharing: 'Sharing a server',
  jobs: 'Jobs',
  account: 'Your account',
  notifications: 'Notifications',
  overview: 'The overview',
  nodes: 'Nodes',
  failover: 'Failover',
  templates: 'Templates',
  'virtual-machines': 'Virtual machines',
  limits: 'Limits and plans',
  billing: 'Plans, store and billing',
  customers: 'Customers',
  suspension: 'Suspension and appeals',
  'help-center': 'The help center',
  'support-mail': 'Mail and reports of the support desk',
  team: 'The team',
  api: 'API tokens and curl',
  appearance: 'Appearance',
  mail: 'E-mail',
  plugins: 'Plugins',
  audit: 'The audit log',
  settings: 'Settings',
  'usage-reports': 'Usage reporting',
} as const

export type HelpName = keyof typeof HELP

/** Documents that are for operators only; customers find the others in the index. */
export const HELP_FOR_OPERATORS: readonly HelpName[] = [
  'overview',
  'nodes',
  'failover',
  'templates',
  'virtual-machines',
  'limits',
  'billing',
  'customers',
  'suspension',
  'help-center',
  'support-mail',
  'team',
  'api',
  'appearance',
  'mail',
  'plugins',
  'audit',
  'settings',
  'usage-reports',
]
