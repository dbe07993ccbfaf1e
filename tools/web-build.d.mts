/** Makes sure that web/dist was built from exactly these sources and dependencies. */
export function buildWeb(): void
