export type PluginFaultReason =
  | 'not_running'
  | 'timeout'
  | 'crashed'
  | 'refused'
  | 'failed'
  | 'invalid_reply'
  | 'unsupported'

/** Why a plugin did not answer. */
export class PluginFault extends Error {
  readonly reason: PluginFaultReason
  /** What a plugin that refused gave. */
  readonly code: string | null

  constructor(reason: PluginFaultReason, message: string, code: string | null = null) {
    super(message)
    this.reason = reason
    this.code = code
  }
}
