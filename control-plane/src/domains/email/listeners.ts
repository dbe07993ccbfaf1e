import type { EventHandlers } from '../../events/events.ts'
import { findUser } from '../customers/index.ts'
import { queueMail } from './outbox.ts'

/** A moment as mail writes it, e.g. `22 November 2026, 09:30 UTC`. */
export const momentText = (at: Date): string =>
  `${at.toLocaleString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric', hour: '2-digit', minute: '2-digit' }).replace(' at ', ', ')} UTC`

interface Issued {
  readonly token: string
  readonly expiresAt: Date
}

/**
 * A link with a token, and until when it is good. Tokens stand behind `#`, which browsers keep to
 * themselves: no server or proxy logs them.
 */
const linkTo = (
  { panelUrl }: { panelUrl: string },
  page: string,
  { token, expiresAt }: Issued,
) => ({
  link: `${panelUrl}/${page}#token=${token}`,
  expires: momentText(expiresAt),
})

/** Mail about what the lower domains tell of. */
export const emailListeners: EventHandlers = {
  'account.invitation': async (ctx, { userId, email: to, inviter, ...issued }) => {
    const variables = { ...linkTo(ctx, 'accept', issued), inviter: inviter ?? '' }
    await queueMail(ctx, 'invitation', { to, userId, expiresAt: issued.expiresAt, variables })
  },
  'account.reset_requested': async (ctx, { userId, email: to, ...issued }) => {
    const variables = linkTo(ctx, 'accept', issued)
    await queueMail(ctx, 'password_reset', { to, userId, expiresAt: issued.expiresAt, variables })
  },
  'account.password_changed': async (ctx, { userId, email, address, device }) => {
    await queueMail(ctx, 'password_changed', { to: email, userId, variables: { address, device } })
  },
  'account.second_factor_changed': async (ctx, { userId, email, change }) => {
    await queueMail(ctx, 'second_factor_changed', { to: email, userId, variables: { change } })
  },
  'account.recovery_code_used': async (ctx, { userId, email, left, address }) => {
    const variables = { left: String(left), address }
    await queueMail(ctx, 'recovery_code_used', { to: email, userId, variables })
  },
  'account.new_device': async (ctx, { userId, email, address, device }) => {
    await queueMail(ctx, 'new_device', { to: email, userId, variables: { address, device } })
  },
  'account.email_change': async (ctx, { userId, newEmail: to, ...issued }) => {
    const variables = linkTo(ctx, 'confirm-email', issued)
    await queueMail(ctx, 'email_change', { to, userId, expiresAt: issued.expiresAt, variables })
  },
  'account.email_changed': async (ctx, { userId, email: to, newEmail, undo }) => {
    const { link, expires } = undo ? linkTo(ctx, 'undo-email', undo) : { link: '', expires: '' }
    await queueMail(ctx, 'email_changed', {
      to,
      userId,
      variables: { newEmail, link, expires },
      ...(undo && { expiresAt: undo.expiresAt }),
    })
  },
  'team.invited': async (ctx, { userId, email: to, inviter, ...issued }) => {
    const variables = { ...linkTo(ctx, 'accept', issued), inviter }
    await queueMail(ctx, 'team_invite', { to, userId, expiresAt: issued.expiresAt, variables })
  },
  'team.transfer_requested': async (ctx, { userId, email: to, inviter, ...issued }) => {
    const variables = { ...linkTo(ctx, 'team/transfer', issued), inviter }
    await queueMail(ctx, 'team_transfer', { to, userId, expiresAt: issued.expiresAt, variables })
  },
  'server.invited': async (ctx, { userId, email: to, inviter, serverName, ...given }) => {
    await queueMail(ctx, 'collaborator_invite', {
      to,
      userId,
      expiresAt: given.expiresAt,
      variables: {
        ...linkTo(ctx, 'join', given),
        inviter,
        server: serverName,
        permissions: given.permissions.join(', '),
      },
    })
  },
  'limit.warned': async (ctx, { userId, kind, used, value }) => {
    const to = await addressOf(ctx, userId)
    const variables = { limit: kind, used: String(used), value: String(value) }
    if (to) await queueMail(ctx, 'limit_warning', { to, userId, variables })
  },
  'limit.exceeded': async (ctx, { userId, email: to, kind, message, byMail }) => {
    if (byMail)
      await queueMail(ctx, 'limit_exceeded', { to, userId, variables: { limit: kind, message } })
  },
}

const addressOf = async (ctx: Parameters<typeof queueMail>[0], userId: string) =>
  (await findUser(ctx.db, userId))?.email
