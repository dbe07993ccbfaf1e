declare module '../../events/catalogue.ts' {
  interface EventCatalogue {
    /** It is known now whether a file of a message may be downloaded. */
    'attachment.scanned': { messageKind: string; messageId: string }
  }
}
