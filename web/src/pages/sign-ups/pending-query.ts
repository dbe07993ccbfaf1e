import { PENDING_FIELDS } from '@lodge/shared/lists/pending.ts'
import { urlOf } from '../../api.ts'
import { q } from '../../query.ts'
import { wantedOf } from '../../routes/list-search.ts'
import type { PendingSearch } from './pending-search.ts'

/** The query for the page of the list in a URL. */
export const pendingQuery = (search: PendingSearch, limit: number) =>
  q('GET /api/signup/pending', {
    query: {
      limit,
      ...wantedOf(search, PENDING_FIELDS),
      ...(search.after ? { after: search.after } : {}),
    },
  })

/** The whole filtered list as CSV. */
export const pendingCsv = (search: PendingSearch): string =>
  urlOf('/api/signup/pending/export', { query: wantedOf(search, PENDING_FIELDS) })
