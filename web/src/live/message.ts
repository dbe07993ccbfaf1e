/** One figure of a running server, sent while somebody looks at it. */
export interface Sample {
  readonly serverId: string
  readonly at: string
  readonly cpuPercent: number
  readonly memoryBytes: number
  readonly memoryOfNode?: boolean
  /** When the server told last who plays on it. */
  readonly playersAt?: string
  readonly diskBytes?: number | null
  readonly networkRxBytesPerSecond?: number
  readonly networkTxBytesPerSecond?: number
}

/** What the event stream says; `event` of the stream is `type` here. */
export interface LiveMessage {
  readonly type: string
  readonly data: unknown
}
