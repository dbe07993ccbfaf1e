import type { JobTitle } from '@lodge/shared/job-words.ts'

/** What a job is about, for display. */
export interface About {
  readonly title: JobTitle
  readonly serverId?: string
  readonly nodeId?: string
  readonly ownerId?: string
}
