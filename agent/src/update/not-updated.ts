/** The agent stays what it is; `message` says why. */
export class NotUpdated extends Error {}
