import { createHash } from 'node:crypto'
import type { Ctx } from '../../../context.ts'

/**
 * Who gets the link: the invited person by mail, or the inviter on the screen; having it proves
 * nothing about the address in the second case.
 */
type Receiver = 'invited' | 'inviter'
const SUBJECTS = { invited: 'server invitation', inviter: 'shown server invitation' } as const

/**
 * The token of an invitation link: 256 bits derived with the master key, so that the link shown
 * immediately and the one mailed later are the same without storing it.
 */
export const tokenOf = (
  ctx: Pick<Ctx, 'vault'>,
  invitationId: string,
  receiver: Receiver,
): string => ctx.vault.sign(SUBJECTS[receiver], invitationId).toString('base64url')

/**
 * Whether the token of this invitation proves that its holder reads the mail of the invited address.
 */
export const provesAddress = (
  ctx: Pick<Ctx, 'vault'>,
  invitationId: string,
  token: string,
): boolean => hashOf(token).equals(hashOf(tokenOf(ctx, invitationId, 'invited')))

/** The stored form of the token. */
export const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest()
