import type { EventCatalogue, EventName, ServerNews } from '@lodge/shared/events.ts'
import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { AdminPermission } from '@lodge/shared/permissions.ts'
import type { Notice } from './notify.ts'

type Audience =
  | { readonly users: readonly (string | null)[] }
  /** Every administrator who holds this. */
  | { readonly staff: AdminPermission }

interface Told<P> {
  readonly to: (payload: P) => Audience
  readonly notice: (payload: P) => Notice
}

const SECURITY = panelPath('accountSecurity')
const LIMITS = panelPath('accountLimits')

const whose = ({ userId }: { userId: string | null }): Audience => ({ users: [userId] })
const people = ({ people }: ServerNews): Audience => ({ users: people.map(({ userId }) => userId) })
const console = ({ serverId: id }: { serverId: string }) => panelPath('serverConsole', { id })
/** A notice about a server; what happens to it again belongs together. */
const about = (server: ServerNews, type: `server.${string}`) =>
  ({ type, link: console(server), groupKey: `${type}:${server.serverId}` }) as const

const SUSPENDED_BY = {
  account: 'the suspension of its account',
  billing: 'billing',
  dispute: 'a payment dispute',
  token: 'a program of the host',
  administrator: 'the host',
} as const

/**
 * The one table of what reaches inboxes: which event, who is told, and in which words. What is about
 * safety cannot be switched off.
 */
export const TOLD: { readonly [N in EventName]?: readonly Told<EventCatalogue[N]>[] } = {
  'account.new_device': [
    {
      to: whose,
      notice: ({ address, device }) => ({
        type: 'account.login_new_device',
        severity: 'warn',
        title: 'Sign-in from a new device',
        body: `${device} at ${address}. If this was not you, change your password.`,
        link: SECURITY,
      }),
    },
  ],
  'account.password_changed': [
    {
      to: whose,
      notice: ({ address, device }) => ({
        type: 'account.password_changed',
        severity: 'warn',
        title: 'Your password was changed',
        body: `From ${device} at ${address}. Every other device was signed out.`,
        link: SECURITY,
      }),
    },
  ],
  'account.second_factor_changed': [
    {
      to: whose,
      notice: ({ change }) => ({
        type: 'account.second_factor_changed',
        severity: 'warn',
        title: 'Your second factors were changed',
        body: `${change}.`,
        link: SECURITY,
      }),
    },
  ],
  'account.recovery_code_used': [
    {
      to: whose,
      notice: ({ address, left }) => ({
        type: 'account.second_factor_changed',
        severity: 'warn',
        title: 'A recovery code was used',
        body: `From ${address}. ${left} are left.`,
        link: SECURITY,
      }),
    },
  ],
  'account.email_changed': [
    {
      to: whose,
      notice: ({ newEmail }) => ({
        type: 'account.email_changed',
        severity: 'warn',
        title: 'Your e-mail address was changed',
        body: `You now sign in with ${newEmail}.`,
        link: panelPath('account'),
      }),
    },
  ],
  'account.token_created': [
    {
      to: whose,
      notice: ({ name }) => ({
        type: 'account.token_created',
        severity: 'info',
        title: 'An API token was created',
        body: `It is named ${name} and acts for you.`,
        link: panelPath('tokens'),
      }),
    },
  ],
  'server.invited': [
    {
      to: whose,
      notice: ({ inviter, serverName }) => ({
        type: 'server.invited',
        severity: 'info',
        title: `${inviter} shares ${serverName} with you`,
        body: 'Accept or decline it above your servers.',
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
        body: `${email} may now use ${serverName}.`,
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
        body: `By ${SUSPENDED_BY[server.cause]}. It is stopped and cannot be started until that is lifted.`,
      }),
    },
  ],
  'server.unsuspended': [
    {
      to: people,
      notice: (server) => ({
        ...about(server, 'server.unsuspended'),
        severity: 'info',
        title: `A suspension of ${server.serverName} is lifted`,
        body: `It was set by ${SUSPENDED_BY[server.cause]}.`,
      }),
    },
  ],
  'server.deletion_scheduled': [
    {
      to: people,
      notice: (server) => ({
        ...about(server, 'server.deletion_scheduled'),
        severity: 'warn',
        title: `${server.serverName} will be deleted`,
        body: `With all of its files, on ${server.deleteAt.toISOString().slice(0, 16).replace('T', ' at ')} UTC. Until then its owner can undo that.`,
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
        body: 'The server and all of its files are gone.',
        link: panelPath('servers'),
        groupKey: `server.deleted:${serverId}`,
      }),
    },
  ],
  'job.ended': [
    {
      to: ({ ownerId, startedBy }) => ({ users: [ownerId, startedBy] }),
      notice: ({ kind, title, failure, serverId }) => ({
        type: failure === null ? 'job.done' : 'job.failed',
        severity: failure === null ? 'info' : 'error',
        title: failure === null ? `Done: ${title}` : `Failed: ${title}`,
        body: failure ?? 'It is complete.',
        link: serverId === null ? panelPath('jobs') : console({ serverId }),
        groupKey: `job:${kind}:${serverId}`,
      }),
    },
  ],
  'node.offline': [
    {
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodeId, name, servers }) => ({
        type: 'node.offline',
        severity: 'error',
        title: `${name} is offline`,
        body: `It has not been heard for a minute. ${servers === 1 ? 'Its server keeps' : `Its ${servers} servers keep`} the last known state; nothing new is placed there.`,
        link: panelPath('node', { id: nodeId }),
        groupKey: `node:${nodeId}`,
      }),
    },
  ],
  'node.online': [
    {
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodeId, name }) => ({
        type: 'node.online',
        severity: 'info',
        title: `${name} is back`,
        body: 'The node is connected again.',
        link: panelPath('node', { id: nodeId }),
        groupKey: `node:${nodeId}`,
      }),
    },
  ],
  'limit.warned': [
    {
      to: whose,
      notice: ({ limit, kind, used, value }) => ({
        type: 'limit.warning',
        severity: 'info',
        title:
          used > value
            ? 'You are above a limit'
            : used === value
              ? 'You have reached a limit'
              : 'You are close to a limit',
        body: `You use ${used} of ${value} ${kind}.`,
        link: LIMITS,
        groupKey: `limit:${limit}`,
      }),
    },
  ],
  'limit.over': [
    {
      to: () => ({ staff: 'customers.quota' }),
      notice: ({ userId, email, limit, kind, used, value }) => ({
        type: 'customer.over_limit',
        severity: 'info',
        title: `${email} is above a limit`,
        body: `They use ${used} of ${value} ${kind}. What they have stays; nothing new fits.`,
        link: panelPath('customerLimits', { id: userId }),
        groupKey: `limit:${limit}:${userId}`,
      }),
    },
  ],
  'limit.exceeded': [
    {
      to: ({ userId, tellCustomer }) => ({ users: tellCustomer ? [userId] : [] }),
      notice: ({ limit, message }) => ({
        type: 'limit.exceeded',
        severity: 'warn',
        title: 'You are above a limit',
        body: `${message}.`,
        link: LIMITS,
        groupKey: `limit:${limit}`,
      }),
    },
    {
      to: () => ({ staff: 'customers.quota' }),
      notice: ({ userId, email, limit, message }) => ({
        type: 'limit.exceeded',
        severity: 'warn',
        title: `${email} is above a limit`,
        body: `${message}.`,
        link: panelPath('customer', { id: userId }),
        groupKey: `limit:${limit}:${userId}`,
      }),
    },
  ],
}
