/** The words of the support desk, as the API and the database write them. */

export const TICKET_STATUSES = ['new', 'open', 'pending', 'on_hold', 'solved', 'closed'] as const
export type TicketStatus = (typeof TICKET_STATUSES)[number]

export const TICKET_PRIORITIES = ['low', 'normal', 'high', 'urgent'] as const
export type TicketPriority = (typeof TICKET_PRIORITIES)[number]

/** How a ticket or a message came in. */
export const TICKET_CHANNELS = ['web', 'email', 'api', 'abuse', 'system'] as const
export type TicketChannel = (typeof TICKET_CHANNELS)[number]

/** Notes are of the staff among themselves; what Lodge writes is `system`. */
export const MESSAGE_KINDS = ['reply', 'note', 'system'] as const
export type MessageKind = (typeof MESSAGE_KINDS)[number]

export const AUTHOR_KINDS = ['customer', 'agent', 'system'] as const
export type AuthorKind = (typeof AUTHOR_KINDS)[number]

/** How the number of a ticket is shown, such as T-000123. */
export const ticketNumber = (number: number): string => `T-${String(number).padStart(6, '0')}`

/** How the members of a group get the tickets that come to it. */
export const GROUP_ASSIGNMENTS = ['manual', 'round_robin', 'least_open'] as const
export type GroupAssignment = (typeof GROUP_ASSIGNMENTS)[number]

export const FIELD_TYPES = ['text', 'multiline', 'number', 'select', 'checkbox'] as const
