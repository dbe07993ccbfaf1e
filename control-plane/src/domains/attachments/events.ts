declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** It is known now whether a file of a message may be downloaded. */
    'attachment.scanned': { messageKind: string; messageId: string }
    /** A picture of a message has a preview now, or is known to have none. */
    'attachment.previewed': { messageKind: string; messageId: string }
  }
}
