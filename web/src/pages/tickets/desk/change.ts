import type { Args } from '../../../api.ts'

/** What an agent changes of a ticket. */
export type Change = Omit<
  NonNullable<Args<'PATCH /api/support/tickets/{id}'>[0]['body']>,
  'version'
>
