import { declare } from './declare.ts'
import { jobKindOf } from './job-kind.ts'

/** What containers and virtual machines have in common. */
export const servers = declare({
  permissions: {
    'servers.view': 'See every server',
    'servers.create': 'Create servers',
    'servers.edit': 'Change name and size of servers',
    'servers.delete': 'Delete servers',
    'servers.power': 'Start, stop and restart servers',
    'servers.console': 'Read and use consoles',
    'servers.files': 'Read and change files of servers',
    'servers.backups': 'Create, restore and delete backups',
    'servers.suspend': 'Suspend servers',
    'servers.force_limits': 'Exceed the limits of a customer',
  },
  presets: {
    operator: [
      'servers.view',
      'servers.create',
      'servers.edit',
      'servers.delete',
      'servers.power',
      'servers.console',
      'servers.files',
      'servers.backups',
      'servers.suspend',
      'servers.force_limits',
    ],
    support_agent: ['servers.view', 'servers.power', 'servers.console'],
    support_lead: ['servers.view', 'servers.power', 'servers.console', 'servers.suspend'],
  },
  problems: {
    port_unavailable: { status: 409, title: 'The port is not available' },
    hold_active: { status: 409, title: 'The server is locked' },
  },
  jobKinds: {
    'server.create': jobKindOf(true, 'reinstall'),
    'server.start': jobKindOf(true, 'start'),
    'server.restart': jobKindOf(true, 'restart'),
    'server.reinstall': jobKindOf(true, 'reinstall'),
    'server.update': jobKindOf(true, 'restart'),
    'server.stop': jobKindOf(false, 'stop'),
    'server.kill': jobKindOf(false, 'kill'),
    'server.suspend': jobKindOf(false),
    'server.unsuspend': jobKindOf(false),
    'server.delete': jobKindOf(false),
  },
})
