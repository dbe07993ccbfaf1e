import { createHash } from 'node:crypto'
import {
  TAX_REFUSALS,
  type TaxQuote,
  type TaxRequest,
  wrongWithQuote,
} from '@lodge/shared/plugins/tax.ts'
import type { Ctx } from '../../../context.ts'
import { Preliminary } from '../../../preliminary.ts'
import { Problem } from '../../../problem.ts'
import { callPlugin, PluginCallFailed } from '../../plugins/index.ts'
import { storeQuote } from './quote-store.ts'

/** Somewhat longer than the preview of a change is valid. */
const QUOTE_MS = 15 * 60_000
const RETRY_SECONDS = 60

const UNAVAILABLE =
  'The tax can’t be calculated right now. Nothing was bought or charged: try again in a few minutes'
const PLACE_MISSING =
  'The tax depends on where you are: enter the country of your billing address first'
const BAD_ADDRESS =
  'No tax can be calculated for your billing address: correct its country, postal code or region'
const BAD_TAX_NUMBER = 'Your tax number is not accepted: correct it, or leave it out'

type Lack = (typeof TAX_REFUSALS)[number] | 'missing'

/** Tax cannot be calculated now. */
export class TaxFailed extends Problem {
  /** For the host. */
  readonly why: string
  /** Whether the customer has to correct their address. */
  readonly needsAddress: boolean

  /** @param lack what is wrong with the customer's address, if anything */
  constructor(why: string, lack?: Lack) {
    super(
      lack ? 'tax_address_needed' : 'tax_unavailable',
      lack === undefined
        ? UNAVAILABLE
        : lack === 'missing'
          ? PLACE_MISSING
          : lack === 'bad_address'
            ? BAD_ADDRESS
            : BAD_TAX_NUMBER,
      lack ? {} : { retryAfterSeconds: RETRY_SECONDS },
    )
    this.why = why
    this.needsAddress = lack !== undefined
  }
}

/** A request for a tax quote, and the plugin it goes to. */
export interface TaxQuestion {
  readonly plugin: string
  readonly request: TaxRequest
}

/** Identifies equal requests. */
export const fingerprintOf = (question: TaxQuestion): string =>
  createHash('sha256').update(JSON.stringify(question)).digest('hex')

/** Thrown when an invoice needs a quote of its tax plugin that has not been fetched yet. */
export class TaxQuoteNeeded extends Preliminary {
  readonly question: TaxQuestion
  readonly #now: Date

  constructor(now: Date, question: TaxQuestion) {
    super('tax_unavailable', UNAVAILABLE, { retryAfterSeconds: RETRY_SECONDS })
    this.question = question
    this.#now = now
  }

  /** @throws {TaxFailed} */
  async obtain(ctx: Ctx): Promise<void> {
    const { taxes, ref = null } = await ask(ctx, this.question)
    await storeQuote(ctx.db, this.#now, {
      ...{ fingerprint: fingerprintOf(this.question), taxes, ref },
      expiresAt: new Date(this.#now.getTime() + QUOTE_MS),
    })
  }
}

async function ask(ctx: Ctx, { plugin, request }: TaxQuestion): Promise<TaxQuote> {
  try {
    const quote = await callPlugin(ctx, plugin, 'tax.quote', request)
    const wrong = wrongWithQuote(request, quote)
    if (wrong !== null) throw new TaxFailed(`Its answer to tax.quote is not valid: ${wrong}`)
    return quote
  } catch (error) {
    const failed = error instanceof PluginCallFailed ? failureOf(error) : error
    if (failed instanceof TaxFailed)
      ctx.log.warn({ plugin, why: failed.why }, 'a plugin calculated no tax')
    throw failed
  }
}

function failureOf({ reason, pluginCode, said }: PluginCallFailed): TaxFailed {
  const refusal = TAX_REFUSALS.find((code) => reason === 'refused' && code === pluginCode)
  return new TaxFailed(said, refusal)
}
