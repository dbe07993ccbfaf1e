/** Why a backup or restore cannot continue, and what the operator can do. */
export class CopyRefused extends Error {
  readonly code: 'storage_full' | 'backup_damaged' | 'storage_unavailable' | 'conflict' | 'invalid'

  constructor(code: CopyRefused['code'], message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'CopyRefused'
    this.code = code
  }
}
