import type { Price } from '@lodge/shared/billing/prices.ts'
import type { Choice } from '../../ui/fields/field-props.ts'
import { priceText } from './money-words.ts'

interface Offer {
  readonly plan: { readonly id: string; readonly name: string }
  readonly price: Price
}

/** A plan and a cycle as the value of a choice, which stays chosen when its price changes. */
export const offerValue = ({ plan, price }: Offer): string => `${plan.id} ${price.cycle}`

/** The choices between plans and cycles of one currency, each with its price. */
export const offerChoices = (offers: readonly Offer[]): Choice<string>[] =>
  offers.map((offer) => ({
    value: offerValue(offer),
    label: `${offer.plan.name}: ${priceText(offer.price)}`,
  }))
