import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { SuspensionCause } from '@lodge/shared/servers.ts'
import { type Audience, type Notices, type NoticeTypes, whose } from '../../events/notices.ts'
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
    'server.created': ServerNews
    'server.installed': ServerNews & { reason: string }
    'server.started': ServerNews & { reason: string }
    'server.stopped': ServerNews & { reason: string }
    /** A scheduled deletion was cancelled. */
    'server.restored': ServerNews
    /** The node that it was moving to was lost or is silent: it stays where it was, or is back there. */
    'server.move_given_up': ServerNews & {
      isBack: boolean
      /** It does not answer now, which says nothing more. */
      isSilent: boolean
      nodeId: string
      nodeName: string
      targetName: string
    }
    /** A lost node may have a server, or part of it, that is elsewhere. */
    'server.left_behind': {
      serverId: string
      serverName: string
      nodeId: string
      kind: 'container' | 'vm'
      placementGeneration: number
      /** Part of a move: it was never the server. */
      partial: boolean
    }
    /** Somebody lost or gave up their access; they may know the name, but nothing more. */
    'server.unshared': { userId: string; name: string; byThemselves: boolean }
  }
}

const people = ({ people }: ServerNews): Audience => ({ users: people.map(({ userId }) => userId) })
const console = ({ serverId: id }: { serverId: string }) => panelPath('serverConsole', { id })
/** A notice about a server opens its console. */
const about = (server: ServerNews) => ({ link: console(server) })

const sentence = (reason: string) => (reason === '' ? '' : `${reason}.`)

const SUSPENDED_BY = {
  account: 'the suspension of its account',
  billing: 'billing',
  dispute: 'a payment dispute',
  token: 'a program of the host',
  administrator: 'the host',
} as const

export const serverNoticeTypes: NoticeTypes = {
  'server.created': {
    title: 'A server was created',
    severity: 'info',
    group: 'servers',
  },
  'server.installed': {
    title: 'A server was installed',
    severity: 'info',
    group: 'servers',
  },
  'server.install_failed': {
    title: 'An installation failed',
    severity: 'error',
    group: 'servers',
  },
  'server.started': {
    title: 'A server started',
    severity: 'info',
    group: 'servers',
  },
  'server.stopped': {
    title: 'A server stopped',
    severity: 'info',
    group: 'servers',
  },
  'server.crashed': {
    title: 'A server crashed',
    severity: 'error',
    group: 'servers',
  },
  'server.crash_limit': {
    title: 'A server stays stopped after crashes',
    severity: 'error',
    group: 'servers',
  },
  'server.suspended': {
    title: 'A server was suspended',
    severity: 'warn',
    group: 'servers',
  },
  'server.unsuspended': {
    title: 'A suspension was lifted',
    severity: 'info',
    group: 'servers',
  },
  'server.deletion_scheduled': {
    title: 'A server will be deleted',
    severity: 'warn',
    group: 'servers',
  },
  'server.restored': {
    title: 'A deletion was cancelled',
    severity: 'info',
    group: 'servers',
  },
  'server.deleted': {
    title: 'A server was deleted',
    severity: 'info',
    group: 'servers',
  },
  'server.move_given_up': {
    title: 'A move was given up',
    severity: 'warn',
    group: 'servers',
  },
  'node.move_given_up': {
    title: 'A move to a node that is away was given up',
    severity: 'warn',
    group: 'host',
    staff: 'nodes.view',
  },
  'collaborator.invited': {
    title: 'Somebody shares a server with you',
    severity: 'info',
    group: 'servers',
  },
  'collaborator.added': {
    title: 'Somebody accepted an invitation',
    severity: 'info',
    group: 'servers',
  },
  'collaborator.removed': {
    title: 'Your access to a server ended',
    severity: 'info',
    group: 'servers',
  },
}

/** Which events become notifications, with recipients and wording. */
export const serverNotices: Notices = {
  'server.invited': [
    {
      type: 'collaborator.invited',
      to: whose,
      notice: ({ inviter, serverName }) => ({
        title: `${inviter} shares ${serverName} with you`,
        body: 'Accept or decline the invitation above your servers.',
        link: panelPath('servers'),
      }),
    },
  ],
  'server.shared': [
    {
      type: 'collaborator.added',
      to: ({ ownerId }) => ({ users: [ownerId] }),
      notice: ({ serverId, serverName, email }) => ({
        title: 'An invitation was accepted',
        body: `${email} now has access to ${serverName}.`,
        link: panelPath('serverSharing', { id: serverId }),
      }),
    },
  ],
  'server.gave_up': [
    {
      type: 'server.crash_limit',
      to: people,
      notice: (server) => ({
        ...about(server),
        title: `${server.serverName} stays stopped`,
        body: `${server.reason}.`,
      }),
    },
  ],
  'server.crashed': [
    {
      type: 'server.crashed',
      to: people,
      notice: (server) => ({
        ...about(server),
        title: `${server.serverName} has crashed`,
        body: `${server.reason}.`,
      }),
    },
  ],
  'server.install_failed': [
    {
      type: 'server.install_failed',
      to: people,
      notice: (server) => ({
        ...about(server),
        title: `The installation of ${server.serverName} failed`,
        body: server.reason,
      }),
    },
  ],
  'server.suspended': [
    {
      type: 'server.suspended',
      to: people,
      notice: (server) => ({
        ...about(server),
        title: `${server.serverName} is suspended`,
        body: `By ${SUSPENDED_BY[server.cause]}. The server is stopped, and cannot start until the suspension is lifted.`,
      }),
    },
  ],
  'server.unsuspended': [
    {
      type: 'server.unsuspended',
      to: people,
      notice: (server) => ({
        ...about(server),
        title: `${server.serverName} is no longer suspended`,
        body: `The suspension by ${SUSPENDED_BY[server.cause]} was lifted.`,
      }),
    },
  ],
  'server.deletion_scheduled': [
    {
      type: 'server.deletion_scheduled',
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: `${server.serverName} will be deleted`,
        body: `On ${momentText(server.deleteAt, reader)}, with all its files. Until then, the owner can cancel the deletion.`,
      }),
    },
  ],
  'server.deleted': [
    {
      type: 'server.deleted',
      to: people,
      notice: ({ serverName }) => ({
        title: `${serverName} was deleted`,
        body: 'The server and all its files were deleted.',
        link: panelPath('servers'),
      }),
    },
  ],
  'server.move_given_up': [
    {
      type: 'server.move_given_up',
      to: people,
      notice: (server) => ({
        ...about(server),
        title: `The move of ${server.serverName} was given up`,
        body: server.isBack
          ? 'The machine it had just moved to is lost. It is back where it was, with its files from before the move: later changes are gone.'
          : `The machine it was moving to ${server.isSilent ? 'stopped answering' : 'is lost'}. It stays where it was, with all of its files, and can be used again.`,
      }),
    },
    {
      type: 'node.move_given_up',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ serverId: id, serverName, nodeName, targetName, isBack, isSilent }) => ({
        title: `${serverName} did not move to ${targetName}`,
        body: isSilent
          ? `${targetName} stopped answering, so the server stays on ${nodeName} and can be used again. Move it again once ${targetName} is connected.`
          : `${targetName} is lost, so the server ${isBack ? 'is back' : 'stays'} on ${nodeName} and can be used again. Move it to a node that is connected.`,
        link: panelPath('server', { id }),
        groupKey: `node.move_given_up:${id}`,
      }),
    },
  ],
  'server.unshared': [
    {
      type: 'collaborator.removed',
      to: ({ userId, byThemselves }) => ({ users: byThemselves ? [] : [userId] }),
      notice: ({ name }) => ({
        title: `You no longer have access to ${name}`,
        body: 'The server is not shared with you any more.',
        link: panelPath('servers'),
      }),
    },
  ],
  'server.created': [
    {
      type: 'server.created',
      inbox: false,
      to: people,
      notice: (server) => ({
        ...about(server),
        title: `${server.serverName} was created`,
        body: 'The server is being set up.',
      }),
    },
  ],
  'server.installed': [
    {
      type: 'server.installed',
      inbox: false,
      to: people,
      notice: (server) => ({
        ...about(server),
        title: `${server.serverName} is installed`,
        body: 'The installation ended well.',
      }),
    },
  ],
  'server.started': [
    {
      type: 'server.started',
      inbox: false,
      to: people,
      notice: (server) => ({
        ...about(server),
        title: `${server.serverName} has started`,
        body: sentence(server.reason),
      }),
    },
  ],
  'server.stopped': [
    {
      type: 'server.stopped',
      inbox: false,
      to: people,
      notice: (server) => ({
        ...about(server),
        title: `${server.serverName} has stopped`,
        body: sentence(server.reason),
      }),
    },
  ],
  'server.restored': [
    {
      type: 'server.restored',
      to: people,
      notice: (server) => ({
        ...about(server),
        title: `${server.serverName} will not be deleted`,
        body: 'The deletion was cancelled. The server stays off until it is started.',
      }),
    },
  ],
}
