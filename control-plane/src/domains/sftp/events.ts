import { panelPath } from '@lodge/shared/panel-paths.ts'
import type { EventHandlers } from '../../events/events.ts'
import { type Notices, type NoticeTypes, whose } from '../../events/notices.ts'
import { deleteCredentialsOf, endConnectionsOf } from './store.ts'

declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    'account.ssh_key_added': { userId: string; email: string; name: string; fingerprint: string }
  }
}

export const sftpNoticeTypes: NoticeTypes = {
  'account.ssh_key_added': {
    title: 'An SSH key was added',
    severity: 'warn',
    group: 'account',
  },
}

export const sftpNotices: Notices = {
  'account.ssh_key_added': [
    {
      type: 'account.ssh_key_added',
      to: whose,
      notice: ({ name, fingerprint }) => ({
        title: 'An SSH key was added to your account',
        body: `${name} (${fingerprint}). It opens the files of your servers: remove it if it is not yours.`,
        link: panelPath('accountKeys'),
      }),
    },
  ],
}

export const sftpListeners: EventHandlers = {
  // Whoever held the account before may have added them.
  'account.access_ended': async (ctx, { userId }) => {
    await deleteCredentialsOf(ctx.db, userId)
    await ctx.live.announce(ctx.db, { kind: 'sftp-connections', id: userId })
  },
  'account.signed_out_elsewhere': async (ctx, { userId }) => {
    await endConnectionsOf(ctx.db, userId)
    await ctx.live.announce(ctx.db, { kind: 'sftp-connections', id: userId })
  },
}
