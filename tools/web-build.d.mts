/** Leaves a panel in web/dist that was made from exactly these sources and dependencies. */
export function buildWeb(): void
