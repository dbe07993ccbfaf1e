import { PENDING_SORTS } from '@lodge/shared/lists/pending.ts'
import { viewSearch } from '../../routes/list-search.ts'

/** Filter and order in the URL of the list of pending sign-ups. */
export const pendingSearch = viewSearch(PENDING_SORTS)

export type PendingSearch = ReturnType<typeof pendingSearch>
