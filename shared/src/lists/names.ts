// Without schemas, so that a page that only shows lists loads none.

/** The lists whose columns and views people keep. */
export const LISTS = [
  'servers',
  'nodes',
  'customers',
  'plans',
  'templates',
  'team',
  'tokens',
  'jobs',
  'audit',
  'outbox',
  'pending',
  'invites',
  'articles',
  'tickets',
] as const

/** Rows of a page. */
export const PAGE_SIZES = [25, 50, 100] as const

/** The most views of one list. */
export const VIEWS_MAX = 20
