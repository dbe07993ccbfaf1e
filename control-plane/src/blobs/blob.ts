export interface Blob {
  /** Its name: 64 digits. */
  readonly sha256: string
  readonly sizeBytes: number
}

/** Something that needs a blob, e.g. `{ kind: 'ticket.attachment', id }`. */
export interface BlobOwner {
  readonly kind: string
  readonly id: string
}
