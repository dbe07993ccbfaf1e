import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Audience, Notices, NoticeTypes } from '../../events/notices.ts'
import { reasonIn, wordsFor } from '../../said-in.ts'
import type { ServerNews } from '../servers/index.ts'
import { t } from './words.ts'

interface BackupNews extends ServerNews {
  readonly backupId: string
  readonly backupName: string
  readonly scheduled: boolean
}

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    'backup.completed': BackupNews & { sizeBytes: number }
    'backup.failed': BackupNews & { reason: string; cancelled: boolean }
    /** A backup that the host makes against the loss of a node failed. */
    'backup.host-failed': {
      nodeId: string
      serverId: string
      serverName: string
      reason: string
      cancelled: boolean
    }
    /** Servers of a node have no recent backup off it. */
    'backup.overdue': { nodeId: string; nodeName: string; servers: number; everyHours: number }
    /** Reading a backup back found that it is damaged. */
    'backup.damaged': ServerNews & {
      backupId: string
      backupName: string
      /** The node that read it. */
      nodeId: string
      reason: string
      /** Hears of it by the job; null if the host's settings began it. */
      startedBy: string | null
    }
    'backup.restored': ServerNews & { backupId: string; backupName: string }
  }
}

const people = ({ people }: ServerNews): Audience => ({ users: people.map(({ userId }) => userId) })
const nobody: Audience = { users: [] }

export const backupNoticeTypes: NoticeTypes = {
  'backup.host-failed': {
    title: 'A backup against the loss of a node failed',
    severity: 'error',
    group: 'host',
    staff: 'nodes.view',
  },
  'backup.overdue': {
    title: 'Backups off a node are overdue',
    severity: 'warn',
    group: 'host',
    staff: 'nodes.view',
  },
  'backup.completed': {
    title: 'A backup was made',
    severity: 'info',
    group: 'backups',
  },
  'backup.failed': {
    title: 'A backup failed',
    severity: 'error',
    group: 'backups',
  },
  'backup.damaged': {
    title: 'A backup is damaged',
    severity: 'error',
    group: 'backups',
  },
  'backup.damaged-on-node': {
    title: 'A backup of a customer is damaged',
    severity: 'error',
    group: 'host',
    staff: 'nodes.view',
  },
  'backup.restored': {
    title: 'A backup was restored',
    severity: 'info',
    group: 'backups',
  },
}

/**
 * A person's own backup is a job, which reports its end itself. Notifications are for backups that
 * began by themselves, and for people who did not begin one.
 */
export const backupNotices: Notices = {
  'backup.completed': [
    {
      type: 'backup.completed',
      inbox: false,
      to: people,
      notice: ({ serverId, serverName, backupName }, reader) => ({
        title: wordsFor(t, reader).completed({ server: serverName }),
        body: wordsFor(t, reader).completedAs({ backup: backupName }),
        link: panelPath('serverBackups', { id: serverId }),
      }),
    },
  ],
  'backup.failed': [
    {
      type: 'backup.failed',
      to: (news) => (news.cancelled ? nobody : people(news)),
      notice: ({ serverId, serverName, backupName, reason }, reader) => ({
        title: wordsFor(t, reader).failed({ server: serverName }),
        body: `${backupName}: ${reasonIn(reason, reader)}`,
        link: panelPath('serverBackups', { id: serverId }),
        groupKey: `backup.failed:${serverId}`,
      }),
    },
  ],
  'backup.host-failed': [
    {
      type: 'backup.host-failed',
      to: ({ cancelled }) => (cancelled ? nobody : { staff: 'nodes.view' }),
      notice: ({ nodeId, serverName, reason }, reader) => ({
        title: wordsFor(t, reader).hostFailed({ server: serverName }),
        body: wordsFor(t, reader).triedAgain({ reason: reasonIn(reason, reader) }),
        link: panelPath('node', { id: nodeId }),
        groupKey: `backup.host-failed:${nodeId}`,
      }),
    },
  ],
  'backup.overdue': [
    {
      type: 'backup.overdue',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ nodeId, nodeName, servers, everyHours }, reader) => ({
        title: wordsFor(t, reader).overdue({ node: nodeName }),
        body: wordsFor(t, reader).overdueServers({ servers, hours: 2 * everyHours }),
        link: panelPath('node', { id: nodeId }),
        groupKey: `backup.overdue:${nodeId}`,
      }),
    },
  ],
  'backup.damaged': [
    {
      type: 'backup.damaged',
      to: ({ people, startedBy }) => ({
        users: people.map(({ userId }) => userId).filter((id) => id !== startedBy),
      }),
      notice: ({ serverId, serverName, backupName, reason }, reader) => ({
        title: wordsFor(t, reader).damaged({ server: serverName }),
        body: wordsFor(t, reader).damagedAs({
          backup: backupName,
          reason: reasonIn(reason, reader),
        }),
        link: panelPath('serverBackups', { id: serverId }),
        groupKey: `backup.damaged:${serverId}`,
      }),
    },
    {
      type: 'backup.damaged-on-node',
      to: () => ({ staff: 'nodes.view' }),
      notice: ({ serverId, serverName, backupName, nodeId, reason }, reader) => ({
        title: wordsFor(t, reader).damaged({ server: serverName }),
        body: wordsFor(t, reader).damagedForHost({
          backup: backupName,
          reason: reasonIn(reason, reader),
        }),
        link: panelPath('serverBackups', { id: serverId }),
        groupKey: `backup.damaged-on-node:${nodeId}`,
      }),
    },
  ],
  'backup.restored': [
    {
      type: 'backup.restored',
      to: people,
      notice: ({ serverId, serverName, backupName }, reader) => ({
        title: wordsFor(t, reader).restored({ server: serverName }),
        body: wordsFor(t, reader).restoredFrom({ backup: backupName }),
        link: panelPath('serverBackups', { id: serverId }),
      }),
    },
  ],
}
