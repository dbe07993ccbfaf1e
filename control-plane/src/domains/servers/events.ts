import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { SuspensionCause } from '@lodge/shared/servers.ts'
import { type Audience, type Notices, whose } from '../../events/notices.ts'
import { momentText } from '../../moment-text.ts'
import type { ServerNews } from './news/news.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A server was offered to somebody; `userId` is null if they have no account yet. */
    'server.invited': {
      userId: string | null
      email: string
      serverName: string
      inviter: string
      permissions: readonly string[]
      token: string
      expiresAt: Date
    }
    /** Somebody accepted to become a collaborator. */
    'server.shared': { serverId: string; serverName: string; ownerId: string; email: string }
    /** A server crashed and its policy will not restart it again. */
    'server.gave_up': ServerNews & { reason: string }
    /** A server crashed and stays down, because its policy never restarts it. */
    'server.crashed': ServerNews & { reason: string }
    'server.install_failed': ServerNews & { reason: string }
    'server.suspended': ServerNews & { cause: SuspensionCause }
    'server.unsuspended': ServerNews & { cause: SuspensionCause }
    /** The owner deleted it; until `deleteAt` that can be undone. */
    'server.deletion_scheduled': ServerNews & { deleteAt: Date }
    'server.deleted': ServerNews
  }
}

const people = ({ people }: ServerNews): Audience => ({ users: people.map(({ userId }) => userId) })
const console = ({ serverId: id }: { serverId: string }) => panelPath('serverConsole', { id })
/** A notice about a server; repetitions are grouped. */
const about = (server: ServerNews, type: `server.${string}`) =>
  ({ type, link: console(server), groupKey: `${type}:${server.serverId}` }) as const

const SUSPENDED_BY = {
  account: 'the suspension of its account',
  billing: 'billing',
  dispute: 'a payment dispute',
  token: 'a program of the host',
  administrator: 'the host',
} as const

/** Which events become notifications, with recipients and wording. */
export const serverNotices: Notices = {
  'server.invited': [
    {
      to: whose,
      notice: ({ inviter, serverName }) => ({
        type: 'server.invited',
        severity: 'info',
        title: `${inviter} shares ${serverName} with you`,
        body: 'Accept or decline the invitation above your servers.',
        link: panelPath('servers'),
      }),
    },
  ],
  'server.shared': [
    {
      to: ({ ownerId }) => ({ users: [ownerId] }),
      notice: ({ serverId, serverName, email }) => ({
        type: 'server.shared',
        severity: 'info',
        title: 'An invitation was accepted',
        body: `${email} now has access to ${serverName}.`,
        link: panelPath('serverSharing', { id: serverId }),
      }),
    },
  ],
  'server.gave_up': [
    {
      to: people,
      notice: (server) => ({
        ...about(server, 'server.crash_limit'),
        severity: 'error',
        title: `${server.serverName} stays stopped`,
        body: `${server.reason}.`,
      }),
    },
  ],
  'server.crashed': [
    {
      to: people,
      notice: (server) => ({
        ...about(server, 'server.crashed'),
        severity: 'error',
        title: `${server.serverName} has crashed`,
        body: `${server.reason}.`,
      }),
    },
  ],
  'server.install_failed': [
    {
      to: people,
      notice: (server) => ({
        ...about(server, 'server.install_failed'),
        severity: 'error',
        title: `The installation of ${server.serverName} failed`,
        body: server.reason,
      }),
    },
  ],
  'server.suspended': [
    {
      to: people,
      notice: (server) => ({
        ...about(server, 'server.suspended'),
        severity: 'warn',
        title: `${server.serverName} is suspended`,
        body: `By ${SUSPENDED_BY[server.cause]}. The server is stopped, and cannot start until the suspension is lifted.`,
      }),
    },
  ],
  'server.unsuspended': [
    {
      to: people,
      notice: (server) => ({
        ...about(server, 'server.unsuspended'),
        severity: 'info',
        title: `${server.serverName} is no longer suspended`,
        body: `The suspension by ${SUSPENDED_BY[server.cause]} was lifted.`,
      }),
    },
  ],
  'server.deletion_scheduled': [
    {
      to: people,
      notice: (server, reader) => ({
        ...about(server, 'server.deletion_scheduled'),
        severity: 'warn',
        title: `${server.serverName} will be deleted`,
        body: `On ${momentText(server.deleteAt, reader)}, with all its files. Until then, the owner can cancel the deletion.`,
      }),
    },
  ],
  'server.deleted': [
    {
      to: people,
      notice: ({ serverId, serverName }) => ({
        type: 'server.deleted',
        severity: 'info',
        title: `${serverName} was deleted`,
        body: 'The server and all its files were deleted.',
        link: panelPath('servers'),
        groupKey: `server.deleted:${serverId}`,
      }),
    },
  ],
}
