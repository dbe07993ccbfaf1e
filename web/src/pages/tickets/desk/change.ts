import type { Args } from '../../../api.ts'

/** The changes that an agent can make to a ticket. */
export type Change = Omit<
  NonNullable<Args<'PATCH /api/support/tickets/{id}'>[0]['body']>,
  'version'
>
