import type { Plugin } from '../../index.ts'

const ADDRESS = 'https://api.tax.example.com/v1'

interface Answer {
  readonly lines: readonly { readonly id: string; readonly rate: string; readonly tax: number }[]
}

/**
 * Has a service calculate the tax of invoices. Lodge checks that the answer is complete and adds up.
 */
const plugin: Plugin = ({ settings, fetch, refusal }) => ({
  health: () => ({
    ok: Boolean(settings.token),
    message: settings.token ? 'Ready' : 'No token yet',
  }),
  tax: {
    async quote({ currency, lines, buyer }) {
      const { status, text } = await fetch(`${ADDRESS}/quotes`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${settings.token}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ currency, lines, buyer }),
      })
      // The customer is asked to correct it; after any other error Lodge only retries later.
      if (status === 422) throw refusal('bad_address', 'The service does not know the address')
      if (status >= 300) throw new Error(`The service answered with ${status}`)
      const answer = JSON.parse(text) as Answer
      const byRate = new Map<string, number>()
      for (const { rate, tax } of answer.lines) byRate.set(rate, (byRate.get(rate) ?? 0) + tax)
      return {
        currency,
        lines: answer.lines.map(({ id, tax }) => ({ id, amount: tax })),
        taxes: [...byRate].map(([percent, amount]) => ({
          ...{ name: 'VAT', jurisdiction: buyer.country, percent, amount },
        })),
        total: answer.lines.reduce((sum, { tax }) => sum + tax, 0),
      }
    },
  },
})
export default plugin
