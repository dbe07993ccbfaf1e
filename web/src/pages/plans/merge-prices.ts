import type { PriceInput } from '@lodge/shared/billing/prices.ts'

interface MergedPrices {
  readonly prices: readonly PriceInput[]
  /** The first price that both changed, in different ways: what somebody else saved or removed. */
  readonly conflict: { readonly price: PriceInput; readonly isRemoved: boolean } | undefined
}

/** A plan has one price for each cycle and currency. */
const placeOf = ({ cycle, currency }: PriceInput): string => `${cycle} ${currency}`

const byPlace = (prices: readonly PriceInput[]) =>
  new Map(prices.map((price) => [placeOf(price), price]))

const inputOf = ({ cycle, currency, amount, setupFee, trialDays }: PriceInput): PriceInput => ({
  ...{ cycle, currency, amount, setupFee, trialDays },
})

/** Whether two prices of one place are the same; one that does not exist is undefined. */
const isSame = (one: PriceInput | undefined, other: PriceInput | undefined): boolean =>
  (['amount', 'setupFee', 'trialDays'] as const).every((key) => one?.[key] === other?.[key])

/**
 * The newest prices of a plan with what was added, changed and removed here; the typed ones first, so
 * that complaints of the API are about the same places. At a conflict it is what was typed.
 * @param known those that were there when the typing began
 */
export function mergePrices(
  typed: readonly PriceInput[],
  known: readonly PriceInput[],
  newest: readonly PriceInput[],
): MergedPrices {
  const mine = byPlace(typed)
  const before = byPlace(known.map(inputOf))
  const theirs = byPlace(newest.map(inputOf))
  const places = [...new Set([...mine.keys(), ...theirs.keys()])]
  const isMine = (place: string): boolean => !isSame(mine.get(place), before.get(place))
  const isTheirs = (place: string): boolean => !isSame(theirs.get(place), before.get(place))
  const both = places.find(
    (place) => isMine(place) && isTheirs(place) && !isSame(mine.get(place), theirs.get(place)),
  )
  const price = both === undefined ? undefined : (theirs.get(both) ?? before.get(both))
  return {
    prices: places.flatMap((place) => (isMine(place) ? mine : theirs).get(place) ?? []),
    conflict: price && { price, isRemoved: both !== undefined && !theirs.has(both) },
  }
}
