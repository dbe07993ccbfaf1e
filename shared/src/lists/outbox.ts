/** What the outbox can be ordered by; `created` is the order of the mails' ids. */
export const OUTBOX_SORTS = ['created', 'to', 'state', 'attempts'] as const
export type OutboxSort = (typeof OUTBOX_SORTS)[number]

/** Fields of its filter. */
export const OUTBOX_FIELDS = ['state', 'to', 'subject', 'template', 'error'] as const
export type OutboxField = (typeof OUTBOX_FIELDS)[number]
