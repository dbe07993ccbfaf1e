import { BillingAddress } from '@lodge/shared/billing/billing.ts'

/** Where a customer is, as another panel has it; unknown fields are empty. */
export type SourcePlace = Readonly<Omit<BillingAddress, 'address'>>

const { country: Country, postalCode: PostalCode, region: Region, taxNumber } = BillingAddress.shape

const LETTERS = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
let codes: ReadonlyMap<string, string> | undefined

/** The codes of ISO 3166-1, by code and by English name, in lower case. */
function codesByName(): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
  for (const code of LETTERS.flatMap((one) => LETTERS.map((other) => one + other))) {
    const name = names.of(code)
    if (name === undefined) continue
    // A withdrawn code, such as DD, or an alias, such as UK, has the same name as the current one.
    const present = new Intl.Locale(`und-${code}`).region ?? code
    found.set(name.toLowerCase(), present)
    found.set(code.toLowerCase(), present)
  }
  return found
}

/** The country for a code or an English name; empty if there is none. */
export function countryOf(text: string): string {
  codes ??= codesByName()
  return codes.get(text.trim().toLowerCase()) ?? ''
}

/** The fields of a place that are valid here; others become empty, which means unknown. */
export const placeOf = ({ country, ...rest }: SourcePlace): SourcePlace => ({
  country: Country.safeParse(countryOf(country)).data ?? '',
  postalCode: PostalCode.safeParse(rest.postalCode).data ?? '',
  region: Region.safeParse(rest.region).data ?? '',
  taxNumber: taxNumber.safeParse(rest.taxNumber).data ?? '',
})
