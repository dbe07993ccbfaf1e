/** A backup or restore that cannot go on, with the reason and the way out for the operator. */
export class CopyRefused extends Error {
  readonly code: 'storage_full' | 'backup_damaged' | 'storage_unavailable' | 'conflict' | 'invalid'

  constructor(code: CopyRefused['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CopyRefused'
    this.code = code
  }
}
