import type { AdminPermission } from './permissions.ts'

/**
 * What a collaborator of a server may be allowed to do, and what an administrator needs to do the
 * same to any server. The owner may do all of it. Every collaborator sees the server and its state.
 * Without schemas, so that the panel's first pages load none.
 */
export const SERVER_PERMISSIONS = {
  'power.start': { title: 'Start', admin: 'servers.power' },
  'power.stop': { title: 'Stop', admin: 'servers.power' },
  'power.restart': { title: 'Restart', admin: 'servers.power' },
  'power.kill': { title: 'End at once, without saving', admin: 'servers.power' },
  'console.read': { title: 'Read the console', admin: 'servers.console' },
  'console.write': { title: 'Send commands', admin: 'servers.console' },
  'files.read': { title: 'Read files', admin: 'servers.files' },
  'files.write': { title: 'Create and change files', admin: 'servers.files' },
  'files.delete': { title: 'Delete files', admin: 'servers.files' },
  'files.sftp': { title: 'Reach the files by SFTP', admin: 'servers.files' },
  'backups.view': { title: 'See backups', admin: 'servers.view' },
  'backups.create': { title: 'Make backups', admin: 'servers.backups' },
  'backups.restore': { title: 'Put a backup back', admin: 'servers.backups' },
  'backups.delete': { title: 'Delete backups', admin: 'servers.backups' },
  'backups.download': { title: 'Download backups', admin: 'servers.backups' },
  'ports.view': { title: 'See the ports', admin: 'servers.view' },
  'ports.manage': { title: 'Add and remove ports', admin: 'servers.edit' },
  'startup.view': { title: 'See start command and variables', admin: 'servers.view' },
  'startup.edit': { title: 'Change variables', admin: 'servers.edit' },
  'settings.rename': { title: 'Rename the server', admin: 'servers.edit' },
  'settings.reinstall': { title: 'Install the server again', admin: 'servers.edit' },
  'settings.move': { title: 'Move the server to another node', admin: 'servers.edit' },
  'schedules.view': { title: 'See schedules', admin: 'servers.view' },
  'schedules.manage': { title: 'Create and change schedules', admin: 'servers.edit' },
  'schedules.run': { title: 'Run schedules now', admin: 'servers.edit' },
  'collaborators.view': { title: 'See with whom the server is shared', admin: 'servers.view' },
  'collaborators.manage': { title: 'Share the server with others', admin: 'servers.edit' },
  'metrics.view': { title: 'See the figures of use', admin: 'servers.view' },
  'events.view': { title: 'See crashes and who did what', admin: 'servers.view' },
  'crash.view': { title: 'See what happens after a crash', admin: 'servers.view' },
  'crash.edit': { title: 'Change what happens after a crash', admin: 'servers.edit' },
  'addons.manage': { title: 'Install and remove mods and plugins', admin: 'servers.files' },
  'vm.view': { title: 'See the hardware of a virtual machine', admin: 'servers.view' },
  'vm.console': { title: 'Use the screen', admin: 'servers.console' },
  'vm.media': { title: 'Insert and eject media', admin: 'servers.edit' },
  'vm.disks': { title: 'Add, enlarge and remove disks', admin: 'servers.edit' },
  'vm.network': { title: 'Change the network card', admin: 'servers.edit' },
  'vm.resources': { title: 'Change processors and memory', admin: 'servers.edit' },
  'vm.snapshots': { title: 'Take and put back snapshots', admin: 'servers.edit' },
} as const satisfies Readonly<Record<string, { title: string; admin: AdminPermission }>>

export type ServerPermissionName = keyof typeof SERVER_PERMISSIONS

/** Its title, or the permission itself in a panel of an earlier version. */
export const permissionTitle = (permission: ServerPermissionName): string =>
  SERVER_PERMISSIONS[permission]?.title ?? permission

/** The permission each action on a server needs; only the host suspends. */
export const ACTION_RIGHTS = {
  start: 'power.start',
  stop: 'power.stop',
  restart: 'power.restart',
  kill: 'power.kill',
  reinstall: 'settings.reinstall',
  backup: 'backups.create',
  restore: 'backups.restore',
} as const satisfies Readonly<Record<string, ServerPermissionName>>

/** What an administrator needs to do to any server what `may` allows; without `may`, to see it. */
export const adminCounterpart = (may: ServerPermissionName | undefined): AdminPermission =>
  may === undefined ? 'servers.view' : SERVER_PERMISSIONS[may].admin
