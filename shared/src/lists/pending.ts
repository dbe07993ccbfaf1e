/** What the list of pending sign-ups can be ordered by; `created` is the order of their ids. */
export const PENDING_SORTS = ['created', 'email', 'state'] as const
export type PendingSort = (typeof PENDING_SORTS)[number]

/** Fields of its filter. */
export const PENDING_FIELDS = ['state', 'email', 'invitation'] as const
export type PendingField = (typeof PENDING_FIELDS)[number]
