export interface Blob {
  /** Its name: 64 hex digits. */
  readonly sha256: string
  readonly sizeBytes: number
}

/** What needs a blob, e.g. `{ kind: 'ticket.attachment', id }`. */
export interface BlobOwner {
  readonly kind: string
  readonly id: string
}
