import { createHash } from 'node:crypto'
import type { Ctx } from '../../../context.ts'

/**
 * The token of an invitation's link: 256 bits that only the holder of the master key can make, so that
 * the link that was shown at once and the mail that is written later are the same.
 */
export const tokenOf = (ctx: Pick<Ctx, 'vault'>, invitationId: string): string =>
  ctx.vault.sign('server invitation', invitationId).toString('base64url')

/** How the token is kept. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
