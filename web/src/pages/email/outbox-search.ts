import { OUTBOX_SORTS } from '@lodge/shared/lists/outbox.ts'
import { viewSearch } from '../../routes/list-search.ts'

/** Filter and order in the URL of the outbox. */
export const outboxSearch = viewSearch(OUTBOX_SORTS)

export type OutboxSearch = ReturnType<typeof outboxSearch>
