import { CURRENCY_DECIMALS } from '@lodge/shared/billing/currencies.ts'
import { amountFromDecimal } from '@lodge/shared/billing/money.ts'

/**
 * An amount in the smallest unit; undefined if the text is not one. Zeros beyond the currency's
 * decimals are ignored.
 */
export function exactAmount(text: string, currency: string): number | undefined {
  const decimals = CURRENCY_DECIMALS.get(currency)
  const parts = /^(\d{1,20})(?:\.(\d{1,10}))?$/.exec(text)
  if (decimals === undefined || !parts) return undefined
  const [, whole = '', places = ''] = parts
  if (/[^0]/.test(places.slice(decimals))) return undefined
  const kept = places.slice(0, decimals)
  return amountFromDecimal(kept === '' ? whole : `${whole}.${kept}`, currency)
}

/** A DATE or DATETIME of a database, read as UTC; null for none, such as 0000-00-00. */
export function exactTime(text: string | null | undefined): Date | null {
  const parts = /^(20\d\d)-(\d\d)-(\d\d)(?:[ T](\d\d:\d\d:\d\d))?/.exec(text ?? '')
  if (!parts) return null
  const [, year, month, day, time = '00:00:00'] = parts
  const at = new Date(`${year}-${month}-${day}T${time}Z`)
  const exists = !Number.isNaN(at.getTime()) && at.getUTCDate() === Number(day)
  return exists ? at : null
}

const NAMED: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' },
}

/** Decodes the entities of HTML; anything that then looks like a tag is text. */
export const unescaped = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|#x([\da-f]{1,5})|(\w{2,6}));/gi, (whole, decimal, hex, name) => {
    if (name !== undefined) return NAMED[name.toLowerCase()] ?? whole
    const code = decimal !== undefined ? Number(decimal) : Number.parseInt(hex, 16)
    return code > 0 && code <= 0x10_ff_ff ? String.fromCodePoint(code) : whole
  })

/** Markup without its tags. */
export const withoutTags = (html: string): string =>
  html
    .replace(/<br\s*\/?>|<\/(?:p|li|div)>/gi, '\n')
    .replace(/<[^<>]*>/g, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
