/**
 * What one part of the control plane tells another inside the transaction that makes it so. A domain
 * that stands lower speaks, those above listen. Never stored: some carry one-time tokens.
 */
export interface EventCatalogue {
  /** A customer was created without a password and is to choose one. */
  'customer.invited': { userId: string; email: string; inviter: string | null }
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
  /** An administrator went beyond a customer's limit. */
  'limit.forced': { userId: string; limit: string; message: string }
}
export type EventName = keyof EventCatalogue
