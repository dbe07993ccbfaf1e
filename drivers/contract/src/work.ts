/** The server, generation and run that work is done for. */
export interface ServerRef {
  readonly serverId: string
  readonly generation: number
  readonly run: number
}

export interface Progress {
  readonly step: 'image' | 'install' | 'configure' | 'copy' | 'verify'
  /** 0 to 100, or null while unknown. */
  readonly percent: number | null
  readonly detail: string
  readonly bytes?: { readonly done: number; readonly total: number | null }
  readonly logLines?: readonly string[]
}
export type OnProgress = (progress: Progress) => void
