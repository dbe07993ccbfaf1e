import type { SuspensionCause } from './servers.ts'

/** A server that something happened to, and everybody who is to hear of it: its owner and those it is shared with. */
export interface ServerNews {
  serverId: string
  serverName: string
  people: readonly { userId: string; email: string }[]
}

/**
 * What one part of the control plane tells another inside the transaction that makes it so. A domain
 * that stands lower speaks, those above listen. Never stored: some carry one-time tokens.
 */
export interface EventCatalogue {
  /** A customer was created without a password and is to choose one. */
  'customer.invited': { userId: string; email: string; inviter: string | null }
  /** A customer is about to be removed for good. */
  'customer.deleted': { userId: string }
  'account.invitation': {
    userId: string
    email: string
    token: string
    expiresAt: Date
    inviter: string | null
  }
  'account.reset_requested': { userId: string; email: string; token: string; expiresAt: Date }
  'account.password_changed': { userId: string; email: string; address: string; device: string }
  'account.second_factor_changed': { userId: string; email: string; change: string }
  'account.recovery_code_used': { userId: string; email: string; left: number; address: string }
  'account.new_device': { userId: string; email: string; address: string; device: string }
  'account.email_change': {
    userId: string
    email: string
    newEmail: string
    token: string
    expiresAt: Date
  }
  /** `undo`: the right of the old address to take it back; null where an administrator changed it. */
  'account.email_changed': {
    userId: string
    email: string
    newEmail: string
    undo: { token: string; expiresAt: Date } | null
  }
  'account.email_restored': {
    userId: string
    email: string
    restoredEmail: string
    address: string
  }
  'account.signed_in': { userId: string; email: string; address: string; device: string }
  /** Somebody who is signed in showed again who they are. */
  'account.proved': { userId: string }
  'account.token_created': { userId: string; email: string; name: string }
  'team.invited': {
    userId: string
    email: string
    token: string
    expiresAt: Date
    inviter: string
  }
  'team.transfer_requested': {
    userId: string
    email: string
    token: string
    expiresAt: Date
    inviter: string
  }
  /** A server is offered to somebody; `userId` is null for who has no account yet. */
  'server.invited': {
    userId: string | null
    email: string
    serverName: string
    inviter: string
    permissions: readonly string[]
    token: string
    expiresAt: Date
  }
  /** Somebody accepted to be a collaborator. */
  'server.shared': { serverId: string; serverName: string; ownerId: string; email: string }
  'limit.warned': { userId: string; limit: string; kind: string; used: number; value: number }
  /** Somebody came to be above a limit, for example because it was lowered. */
  'limit.over': {
    userId: string
    email: string
    limit: string
    kind: string
    used: number
    value: number
  }
  /** More than a limit was let through, because limits only warn here. */
  'limit.exceeded': {
    userId: string
    email: string
    limit: string
    kind: string
    message: string
    tellCustomer: boolean
    byMail: boolean
  }
  /** A server crashed and its policy starts it no more. */
  'server.gave_up': ServerNews & { reason: string }
  /** It crashed and stays down, because its policy is not to start it again. */
  'server.crashed': ServerNews & { reason: string }
  'server.install_failed': ServerNews & { reason: string }
  'server.suspended': ServerNews & { cause: SuspensionCause }
  'server.unsuspended': ServerNews & { cause: SuspensionCause }
  /** Its owner deleted it; until `deleteAt` that can be undone. */
  'server.deletion_scheduled': ServerNews & { deleteAt: Date }
  'server.deleted': ServerNews
  /** Told of failures, and of the success of what takes long. */
  'job.ended': {
    kind: string
    title: string
    failure: string | null
    serverId: string | null
    ownerId: string | null
    startedBy: string | null
  }
  /** A node has not been heard for a minute. */
  'node.offline': { nodeId: string; name: string; servers: number }
  'node.online': { nodeId: string; name: string }
  /** An administrator went beyond a customer's limit. */
  'limit.forced': { userId: string; limit: string; message: string }
}
export type EventName = keyof EventCatalogue
