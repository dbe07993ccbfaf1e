import type { WayToPay } from '@lodge/shared/billing/billing.ts'
import type { Ctx } from '../../context.ts'
import { paymentProviders } from '../plugins/index.ts'

/** The ways to pay that are turned on. */
export const waysToPay = async (ctx: Pick<Ctx, 'db' | 'vault'>): Promise<WayToPay[]> =>
  (await paymentProviders(ctx)).map(({ id, name, abilities }) => ({
    ...{ id, name, portal: abilities.includes('portal') },
    autoCharge: abilities.includes('autoCharge'),
    saveMethod: abilities.includes('saveMethod'),
  }))
