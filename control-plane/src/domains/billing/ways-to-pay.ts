import type { Ctx } from '../../context.ts'
import { providersOf } from '../plugins/index.ts'

/** The ways to pay that are turned on. */
export const waysToPay = (ctx: Ctx): Promise<{ id: string; name: string }[]> =>
  providersOf(ctx, 'payment').then((all) => all.map(({ id, name }) => ({ id, name })))
