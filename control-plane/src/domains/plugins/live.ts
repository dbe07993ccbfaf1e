import type { Ctx } from '../../context.ts'
import type { LiveSources } from '../../live/live-events.ts'

declare module '../../live/announcement.ts' {
  interface Announcements {
    /** The id of a plugin whose pages were added, changed or removed. */
    'plugin-pages': true
  }
}

/**
 * Tells open panels that the pages of this plugin may have changed, once this transaction has
 * committed.
 */
export const tellOfPages = ({ live, db }: Pick<Ctx, 'live' | 'db'>, id: string): Promise<void> =>
  live.announce(db, { kind: 'plugin-pages', id })

/** Announces only the change: open panels fetch the pages, since they depend on the reader. */
export const announcePages = (): LiveSources => ({
  'plugin-pages': {
    load: async () => [{ event: 'plugin-pages', data: {}, audience: { everyone: true } }],
  },
})
