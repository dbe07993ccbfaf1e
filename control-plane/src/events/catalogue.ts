/**
 * Events by which a domain informs those above it inside the same transaction. Lower domains emit,
 * higher ones listen. Never stored, because some carry one-time tokens. Each domain adds its own in
 * its `events.ts`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the domains
export interface EventCatalogue {}
export type EventName = keyof EventCatalogue
