import { OUTBOX_FIELDS } from '@lodge/shared/lists/outbox.ts'
import { urlOf } from '../../api.ts'
import { q } from '../../query.ts'
import { wantedOf } from '../../routes/list-search.ts'
import type { OutboxSearch } from './outbox-search.ts'

/** The query for the page of the outbox in a URL. */
export const outboxQuery = (search: OutboxSearch, limit: number) =>
  q('GET /api/email/outbox', {
    query: {
      limit,
      ...wantedOf(search, OUTBOX_FIELDS),
      ...(search.after ? { after: search.after } : {}),
    },
  })

/** The whole filtered outbox as CSV. */
export const outboxCsv = (search: OutboxSearch): string =>
  urlOf('/api/email/outbox/export', { query: wantedOf(search, OUTBOX_FIELDS) })
