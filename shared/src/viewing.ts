/** How long an administrator may view the panel as a customer. */
export const VIEWING_MINUTES = 60

/** Request header sent by pages that were opened to view as a customer. */
export const VIEWING_HEADER = 'x-viewing'
