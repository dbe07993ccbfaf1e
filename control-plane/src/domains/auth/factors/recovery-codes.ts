import { createHash, randomBytes } from 'node:crypto'
import type { Ctx } from '../../../context.ts'
import { replaceRecoveryCodes, takeRecoveryCode } from './factor-store.ts'

const COUNT = 10
/** 80 bits each: too many to guess, so a fast hash suffices. */
const BYTES = 10
const ALPHABET = 'abcdefghjkmnpqrstuvwxyz23456789x'

const normalise = (code: string): string => code.toLowerCase().replaceAll(/[\s-]/g, '')
const hashOf = (userId: string, code: string): Buffer =>
  createHash('sha256')
    .update(`${userId}:${normalise(code)}`)
    .digest()

/** Replaces all earlier codes; the new ones are shown only once. */
export async function makeRecoveryCodes(ctx: Ctx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, newCode)
  await replaceRecoveryCodes(
    ctx.db,
    userId,
    codes.map((code) => hashOf(userId, code)),
  )
  return codes
}

/** Redeems a code. */
export const acceptRecoveryCode = (ctx: Ctx, userId: string, code: string): Promise<boolean> =>
  takeRecoveryCode(ctx.db, userId, hashOf(userId, code))

/** Sixteen unambiguous letters and digits in groups of four. */
function newCode(): string {
  let bits = BigInt(`0x${randomBytes(BYTES).toString('hex')}`)
  let text = ''
  for (let at = 0; at < 16; at++) {
    text += ALPHABET[Number(bits & 31n)]
    bits >>= 5n
  }
  return text.match(/.{4}/g)?.join('-') ?? text
}
