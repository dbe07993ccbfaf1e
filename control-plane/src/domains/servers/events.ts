import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { SuspensionCause } from '@lodge/shared/servers.ts'
import type { Language } from '@lodge/shared/words/languages.ts'
import type { Issued } from '../../events/mails.ts'
import { type Audience, type Notices, type NoticeTypes, whose } from '../../events/notices.ts'
import { momentText } from '../../moment-text.ts'
import { reasonIn, wordsFor } from '../../said-in.ts'
import type { ServerNews } from './news/news.ts'
import type { LeftPart } from './parts-left.ts'
import { t } from './words.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** A server was offered to somebody; `userId` is null if they have no account yet. */
    'server.invited': Issued & {
      userId: string | null
      email: string
      serverName: string
      inviter: string
      permissions: readonly string[]
      asked?: Language | undefined
    }
    /** Somebody accepted to become a collaborator. */
    'server.shared': { serverId: string; serverName: string; ownerId: string; email: string }
    /** A server crashed and its policy will not restart it again. */
    'server.gave_up': ServerNews & { reason: string }
    /** A server crashed and stays down, because its policy never restarts it. */
    'server.crashed': ServerNews & { reason: string }
    'server.install_failed': ServerNews & { reason: string }
    /** The server has used up its disk. */
    'server.over_limit': ServerNews & { reason: string }
    'server.suspended': ServerNews & { cause: SuspensionCause }
    'server.unsuspended': ServerNews & { cause: SuspensionCause }
    /**
     * It is deleted at `deleteAt`, and this can be undone until then. `announced`: another mail has
     * told its people already, such as that about the end of a subscription.
     */
    'server.deletion_scheduled': ServerNews & { deleteAt: Date; announced: boolean }
    'server.deleted': ServerNews
    /** `byStaff`: a person of the host created it for somebody who may not know. */
    'server.created': ServerNews & { byStaff: boolean }
    'server.installed': ServerNews & { reason: string }
    'server.started': ServerNews & { reason: string }
    'server.stopped': ServerNews & { reason: string }
    /** A scheduled deletion was cancelled; `takenOver`: because another subscription has it now. */
    'server.restored': ServerNews & { takenOver: boolean }
    /** It is on another node now. */
    'server.migrated': ServerNews
    /**
     * Its move was given up because the target node was lost or is silent: it stays where it was, or
     * is back there.
     */
    'server.move_given_up': ServerNews & {
      isBack: boolean
      /** The target does not answer now, and nothing more is known. */
      isSilent: boolean
      nodeId: string
      nodeName: string
      targetName: string
    }
    /** A lost node may have a server, or a part of it, that is elsewhere. */
    'server.left_behind': LeftPart & {
      serverName: string
      /** A part from a move: it was never the server. */
      partial: boolean
    }
    /** Somebody lost or gave up their access; they may learn the name, but nothing more. */
    'server.unshared': { userId: string; name: string; byThemselves: boolean }
  }
}

const people = ({ people }: ServerNews): Audience => ({ users: people.map(({ userId }) => userId) })
const console = ({ serverId: id }: { serverId: string }) => panelPath('serverConsole', { id })
/** A notice about a server opens its console. */
const about = (server: ServerNews) => ({ link: console(server) })

const sentence = (reason: string) => (reason === '' ? '' : `${reason}.`)

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
  'server.over_limit': {
    title: 'A server has used up its disk',
    severity: 'warn',
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
  'server.migrated': {
    title: 'A server moved to another machine',
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
      notice: ({ inviter, serverName }, reader) => ({
        title: wordsFor(t, reader).invited({ inviter, server: serverName }),
        body: wordsFor(t, reader).invitedBody,
        link: panelPath('servers'),
      }),
    },
  ],
  'server.shared': [
    {
      type: 'collaborator.added',
      to: ({ ownerId }) => ({ users: [ownerId] }),
      notice: ({ serverId, serverName, email }, reader) => ({
        title: wordsFor(t, reader).accepted,
        body: wordsFor(t, reader).hasAccess({ email, server: serverName }),
        link: panelPath('serverSharing', { id: serverId }),
      }),
    },
  ],
  'server.gave_up': [
    {
      type: 'server.crash_limit',
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).staysStopped({ server: server.serverName }),
        body: `${reasonIn(server.reason, reader)}.`,
      }),
    },
  ],
  'server.crashed': [
    {
      type: 'server.crashed',
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).crashed({ server: server.serverName }),
        body: `${reasonIn(server.reason, reader)}.`,
      }),
    },
  ],
  'server.install_failed': [
    {
      type: 'server.install_failed',
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).installFailed({ server: server.serverName }),
        body: reasonIn(server.reason, reader),
      }),
    },
  ],
  'server.over_limit': [
    {
      type: 'server.over_limit',
      to: people,
      notice: (server, reader) => ({
        link: panelPath('serverFiles', { id: server.serverId }),
        title: wordsFor(t, reader).diskFull({ server: server.serverName }),
        body: sentence(reasonIn(server.reason, reader)),
      }),
    },
  ],
  'server.suspended': [
    {
      type: 'server.suspended',
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).suspended({ server: server.serverName }),
        body: wordsFor(t, reader).suspendedBy({ cause: server.cause }),
      }),
    },
  ],
  'server.unsuspended': [
    {
      type: 'server.unsuspended',
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).freed({ server: server.serverName }),
        body: wordsFor(t, reader).freedOf({ cause: server.cause }),
      }),
    },
  ],
  'server.deletion_scheduled': [
    {
      type: 'server.deletion_scheduled',
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).willBeDeleted({ server: server.serverName }),
        body: wordsFor(t, reader).deletedOn({ at: momentText(server.deleteAt, reader) }),
      }),
    },
  ],
  'server.deleted': [
    {
      type: 'server.deleted',
      to: people,
      notice: ({ serverName }, reader) => ({
        title: wordsFor(t, reader).deleted({ server: serverName }),
        body: wordsFor(t, reader).deletedBody,
        link: panelPath('servers'),
      }),
    },
  ],
  'server.migrated': [
    {
      type: 'server.migrated',
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).migrated({ server: server.serverName }),
        body: wordsFor(t, reader).migratedBody,
      }),
    },
  ],
  'server.move_given_up': [
    {
      type: 'server.move_given_up',
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).moveGivenUp({ server: server.serverName }),
        body: server.isBack
          ? wordsFor(t, reader).backWhereItWas
          : wordsFor(t, reader).staysWhereItWas({ isSilent: String(server.isSilent) }),
      }),
    },
    {
      type: 'node.move_given_up',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ serverId: id, serverName, nodeName, targetName, isBack, isSilent }, reader) => ({
        title: wordsFor(t, reader).didNotMove({ server: serverName, target: targetName }),
        body: isSilent
          ? wordsFor(t, reader).targetSilent({ target: targetName, node: nodeName })
          : wordsFor(t, reader).targetLost({
              target: targetName,
              isBack: String(isBack),
              node: nodeName,
            }),
        link: panelPath('server', { id }),
        groupKey: `node.move_given_up:${id}`,
      }),
    },
  ],
  'server.unshared': [
    {
      type: 'collaborator.removed',
      to: ({ userId, byThemselves }) => ({ users: byThemselves ? [] : [userId] }),
      notice: ({ name }, reader) => ({
        title: wordsFor(t, reader).accessEnded({ server: name }),
        body: wordsFor(t, reader).accessEndedBody,
        link: panelPath('servers'),
      }),
    },
  ],
  'server.created': [
    {
      type: 'server.created',
      inbox: false,
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).created({ server: server.serverName }),
        body: wordsFor(t, reader).createdBody,
      }),
    },
  ],
  'server.installed': [
    {
      type: 'server.installed',
      inbox: false,
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).installed({ server: server.serverName }),
        body: wordsFor(t, reader).installedBody,
      }),
    },
  ],
  'server.started': [
    {
      type: 'server.started',
      inbox: false,
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).started({ server: server.serverName }),
        body: sentence(reasonIn(server.reason, reader)),
      }),
    },
  ],
  'server.stopped': [
    {
      type: 'server.stopped',
      inbox: false,
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).stopped({ server: server.serverName }),
        body: sentence(reasonIn(server.reason, reader)),
      }),
    },
  ],
  'server.restored': [
    {
      type: 'server.restored',
      to: people,
      notice: (server, reader) => ({
        ...about(server),
        title: wordsFor(t, reader).stays({ server: server.serverName }),
        body: wordsFor(t, reader).staysBody({ takenOver: String(server.takenOver) }),
      }),
    },
  ],
}
