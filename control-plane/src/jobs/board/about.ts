/** What a job is about, for display. */
export interface About {
  readonly title: string
  readonly serverId?: string
  readonly nodeId?: string
  readonly ownerId?: string
}
