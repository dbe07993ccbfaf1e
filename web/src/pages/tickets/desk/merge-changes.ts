import type { TicketThread } from '@lodge/shared/support/tickets.ts'
import type { Change } from './change.ts'

/** The properties that two people may change concurrently. */
const FIELDS = {
  subject: ({ subject }: TicketThread) => subject,
  status: ({ status }: TicketThread) => status,
  priority: ({ priority }: TicketThread) => priority,
  categoryId: ({ categoryId }: TicketThread) => categoryId,
  groupId: ({ staff }: TicketThread) => staff?.groupId ?? null,
  assigneeId: ({ staff }: TicketThread) => staff?.assignee?.id ?? null,
  tags: ({ staff }: TicketThread) => [...(staff?.tags ?? [])].sort().join(' '),
  snoozedUntil: ({ staff }: TicketThread) => staff?.snoozedUntil ?? null,
} as const

export type Field = keyof typeof FIELDS

/** The properties that differ between two versions of a ticket. */
export const changedFields = (before: TicketThread, after: TicketThread): readonly Field[] =>
  (Object.keys(FIELDS) as Field[]).filter((field) => FIELDS[field](before) !== FIELDS[field](after))

/** Whether a change concerns a property that somebody else has changed. */
export const overlaps = (theirs: readonly Field[], mine: Change): boolean =>
  theirs.some((field) => field in mine)
