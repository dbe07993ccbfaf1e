import { z } from 'zod'
import { SERVER_PERMISSIONS, type ServerPermissionName } from './server-permission-list.ts'

export type ServerPermission = ServerPermissionName
export const ServerPermission = z.enum(
  Object.keys(SERVER_PERMISSIONS) as [ServerPermission, ...ServerPermission[]],
)

/** Permission to change something implies permission to see it. */
const IMPLIED: Partial<Record<ServerPermission, ServerPermission>> = {
  'console.write': 'console.read',
  'files.write': 'files.read',
  'files.delete': 'files.read',
  'files.sftp': 'files.read',
  'backups.create': 'backups.view',
  'backups.restore': 'backups.view',
  'backups.delete': 'backups.view',
  'backups.download': 'backups.view',
  'ports.manage': 'ports.view',
  'startup.edit': 'startup.view',
  'schedules.manage': 'schedules.view',
  'schedules.run': 'schedules.view',
  'collaborators.manage': 'collaborators.view',
  'crash.edit': 'crash.view',
  'vm.console': 'vm.view',
  'vm.media': 'vm.view',
  'vm.disks': 'vm.view',
  'vm.network': 'vm.view',
  'vm.resources': 'vm.view',
  'vm.snapshots': 'vm.view',
}

/** The permissions with all that they imply, each once, in the order of the catalogue. */
export function withImplied(permissions: readonly ServerPermission[]): ServerPermission[] {
  const all = new Set(permissions)
  for (const one of permissions) {
    const implied = IMPLIED[one]
    if (implied) all.add(implied)
  }
  return ServerPermission.options.filter((one) => all.has(one))
}

/** Whether a permission means something on a server of this kind. */
export const concerns = (kind: 'container' | 'vm', permission: ServerPermission): boolean =>
  kind === 'vm' || !permission.startsWith('vm.')

const every = ServerPermission.options
const viewing = every.filter((one) => one.endsWith('.view') && one !== 'collaborators.view')
const beginning = (...areas: string[]) =>
  every.filter((one) => areas.includes(one.split('.')[0] ?? ''))

/** Permission sets for collaborators of a server. */
export const SERVER_PRESETS: Readonly<Record<string, readonly ServerPermission[]>> = {
  viewer: [...viewing, 'console.read'],
  operator: withImplied([
    ...viewing,
    ...beginning('power', 'console'),
    'backups.create',
    'schedules.run',
    'vm.console',
  ]),
  developer: withImplied([
    ...viewing,
    ...beginning('power', 'console', 'files', 'backups', 'ports', 'startup', 'schedules', 'crash'),
    'addons.manage',
    'vm.console',
    'vm.media',
    'vm.snapshots',
  ]),
  full: every,
}
