/** What the list of customers can be ordered by; `created` is the order of their ids. */
export const CUSTOMER_SORTS = ['email', 'name', 'state', 'created'] as const
export type CustomerSort = (typeof CUSTOMER_SORTS)[number]

/** Fields of its filter. */
export const CUSTOMER_FIELDS = ['state', 'email', 'name'] as const
export type CustomerField = (typeof CUSTOMER_FIELDS)[number]
