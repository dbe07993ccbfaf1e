/** One sample of a running server, sent while somebody views it. */
export interface Sample {
  readonly serverId: string
  readonly at: string
  readonly cpuPercent: number
  readonly memoryBytes: number
  readonly memoryOfNode?: boolean
  /** When the server last reported its players. */
  readonly playersAt?: string
  readonly diskBytes?: number | null
  readonly networkRxBytesPerSecond?: number
  readonly networkTxBytesPerSecond?: number
}

/** A message of the event stream; the stream's `event` is `type` here. */
export interface LiveMessage {
  readonly type: string
  readonly data: unknown
}
