import type { PaymentAbility } from '@lodge/shared/plugins/payment.ts'
import type { Services } from '../../services.ts'
import { openSettings } from './secrets.ts'
import { listInstalled } from './store.ts'

export interface PaymentProvider {
  readonly id: string
  /** The name that customers see. */
  readonly name: string
  readonly abilities: readonly PaymentAbility[]
}

/** The payment plugins that are turned on. */
export async function paymentProviders({
  db,
  vault,
}: Pick<Services, 'db' | 'vault'>): Promise<PaymentProvider[]> {
  return (await listInstalled(db)).flatMap(({ plugin, version: { manifest } }) => {
    if (!plugin.enabled || !manifest.kinds.includes('payment')) return []
    const { abilities = [], nameSetting } = manifest.payment ?? {}
    const name =
      nameSetting === undefined
        ? undefined
        : openSettings(vault, plugin.id, plugin.settings)[nameSetting]
    return { id: plugin.id, name: String(name ?? manifest.name), abilities }
  })
}
