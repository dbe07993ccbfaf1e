import type { Ctx } from '../../context.ts'
import type { LiveSources } from '../../live/live-events.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    /** The id of a plugin whose pages came, changed or went. */
    'plugin-pages': true
  }
}

/** Tells open panels that the pages of this plugin may be others once this transaction ends. */
export const tellOfPages = ({ live, db }: Pick<Ctx, 'live' | 'db'>, id: string): Promise<void> =>
  live.announce(db, { kind: 'plugin-pages', id })

/** Open panels ask for the pages anew, since who they are decides which they have. */
export const announcePages = (): LiveSources => ({
  'plugin-pages': {
    load: async () => [{ event: 'plugin-pages', data: {}, audience: { everyone: true } }],
  },
})
