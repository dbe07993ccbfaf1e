import type { Job } from '@lodge/shared/jobs.ts'
import type { Node } from '@lodge/shared/nodes.ts'
import type { Server } from '@lodge/shared/servers.ts'

/** One figure of a running server, sent while somebody looks at it. */
export interface Sample {
  readonly serverId: string
  readonly at: string
  readonly cpuPercent: number
  readonly memoryBytes: number
  readonly memoryOfNode?: boolean
  readonly diskBytes?: number | null
  readonly networkRxBytesPerSecond?: number
  readonly networkTxBytesPerSecond?: number
}

/** What the event stream says; `event` of the stream is `type` here. */
export type LiveMessage =
  | { readonly type: 'server'; readonly data: Server }
  | { readonly type: 'job'; readonly data: Job }
  | { readonly type: 'node'; readonly data: Node }
  | {
      readonly type: 'nodeUsage'
      readonly data: { readonly nodeId: string; readonly usage: Node['usage'] }
    }
  /** Somebody has a new notice; the inbox is fetched again. */
  | { readonly type: 'notification'; readonly data: unknown }
  /** Notices were read, here or in another tab. */
  | { readonly type: 'inbox'; readonly data: { readonly unread: number } }
  | { readonly type: 'sample'; readonly data: Sample }
  | { readonly type: 'removed'; readonly data: { readonly kind: string; readonly id: string } }
  | { readonly type: 'reset'; readonly data: unknown }

export const MESSAGE_TYPES: readonly LiveMessage['type'][] = [
  'server',
  'job',
  'node',
  'nodeUsage',
  'notification',
  'inbox',
  'sample',
  'removed',
  'reset',
]
