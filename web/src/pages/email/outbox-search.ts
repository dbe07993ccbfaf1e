import { OUTBOX_SORTS } from '@lodge/shared/lists/outbox.ts'
import { viewSearch } from '../../routes/list-search.ts'

/** The view in the address of the outbox. */
export const outboxSearch = viewSearch(OUTBOX_SORTS)

export type OutboxSearch = ReturnType<typeof outboxSearch>
