/**
 * What one part of the control plane tells another inside the transaction that makes it so. A domain
 * that stands lower speaks, those above listen. Never stored: some carry one-time tokens. Each domain adds
 * its own in its `events.ts`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the domains
export interface EventCatalogue {}
export type EventName = keyof EventCatalogue
