import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { Audience, Notices, NoticeTypes } from '../../../events/notices.ts'
import { reasonIn, wordsFor } from '../../../said-in.ts'
import type { ServerNews } from '../../servers/index.ts'
import { t } from './words.ts'

interface SnapshotNews extends ServerNews {
  readonly snapshotId: string
  readonly snapshotName: string
}

declare module '../../../events/catalogue.ts' {
  interface EventCatalogue {
    'vm.snapshot_created': SnapshotNews
    /** It failed, rather than being cancelled. */
    'vm.snapshot_failed': SnapshotNews & { reason: string }
  }
}

export const snapshotNoticeTypes: NoticeTypes = {
  'vm.snapshot_created': {
    title: 'A snapshot was taken',
    severity: 'info',
    group: 'backups',
  },
  'vm.snapshot_failed': {
    title: 'A snapshot failed',
    severity: 'error',
    group: 'backups',
  },
}

const people = ({ people }: ServerNews): Audience => ({ users: people.map(({ userId }) => userId) })
const link = ({ serverId: id }: ServerNews) => panelPath('serverSnapshots', { id })

export const snapshotNotices: Notices = {
  'vm.snapshot_created': [
    {
      type: 'vm.snapshot_created',
      inbox: false,
      to: people,
      notice: (news, reader) => ({
        title: wordsFor(t, reader).taken({ server: news.serverName }),
        body: wordsFor(t, reader).takenAs({ snapshot: news.snapshotName }),
        link: link(news),
      }),
    },
  ],
  'vm.snapshot_failed': [
    {
      type: 'vm.snapshot_failed',
      to: people,
      notice: (news, reader) => ({
        title: wordsFor(t, reader).failed({ server: news.serverName }),
        body: `${news.snapshotName}: ${reasonIn(news.reason, reader)}`,
        link: link(news),
      }),
    },
  ],
}
