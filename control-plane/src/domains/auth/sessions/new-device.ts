import { createHash } from 'node:crypto'
import { networkOf } from '@lodge/shared/addresses.ts'
import type { Ctx } from '../../../context.ts'
import type { Exchange } from '../../../http/endpoint.ts'
import type { UserRow } from '../../customers/index.ts'
import { noteDevice } from './device-store.ts'

/** Reports a sign-in, and warns of one from a browser and network new to the account. */
export async function noticeDevice(
  ctx: Ctx,
  user: UserRow,
  device: string,
  http: Exchange,
): Promise<void> {
  const address = http.request.address
  const hash = createHash('sha256')
    .update(`${device}|${networkOf(address)}`)
    .digest()
  const { isNew, hadOthers } = await noteDevice(ctx.db, user.id, hash)
  const event = { userId: user.id, email: user.email, address, device }
  await ctx.emit('account.signed_in', event)
  if (isNew && hadOthers) await ctx.emit('account.new_device', event)
}
