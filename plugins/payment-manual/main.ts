import type { Host, Plugin } from '../sdk/index.ts'

/** Currencies whose number of decimals is not two (ISO 4217). */
const DECIMALS: Readonly<Record<string, number>> = {
  ...{ BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0 },
  ...{ VND: 0, VUV: 0, XAF: 0, XOF: 0, XPF: 0 },
  ...{ BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3 },
}

/** An amount for people: minor units with their decimals, and the currency. */
function amountText(minorUnits: number, currency: string): string {
  const decimals = DECIMALS[currency] ?? 2
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const part = decimals > 0 ? `.${digits.slice(-decimals)}` : ''
  return `${minorUnits < 0 ? '-' : ''}${whole}${part} ${currency}`
}

function instructions({ settings }: Host, words: Readonly<Record<string, string>>): string {
  const text = String(settings.instructions ?? '')
  return text
    .replaceAll(/\{\{\s*([a-z.]+)\s*\}\}/g, (all, name) =>
      Object.hasOwn(words, name) ? String(words[name]) : all,
    )
    .slice(0, 4000)
}

/**
 * Payment outside of the panel. It has no state: the panel has the invoices, and an administrator
 * says which ones were paid.
 */
const plugin: Plugin = (host) => ({
  health: () => ({
    ok: Boolean(host.settings.instructions),
    message: host.settings.instructions ? 'Ready' : 'There are no instructions yet',
  }),
  payment: {
    payInvoice: ({ invoice }) => ({
      ref: null,
      redirectUrl: null,
      instructions: instructions(host, {
        amount: amountText(invoice.amountDue, invoice.currency),
        reference: invoice.number,
        'invoice.number': invoice.number,
      }),
    }),
    fetch: () => ({ object: null }),
  },
})
export default plugin
