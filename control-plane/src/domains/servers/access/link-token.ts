import { createHash } from 'node:crypto'
import type { Ctx } from '../../../context.ts'

/**
 * The token of an invitation link: 256 bits derived with the master key, so that the link shown at
 * once and the one mailed later are the same without storing it.
 */
export const tokenOf = (ctx: Pick<Ctx, 'vault'>, invitationId: string): string =>
  ctx.vault.sign('server invitation', invitationId).toString('base64url')

/** The stored form of the token. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
