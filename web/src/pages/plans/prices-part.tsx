import { CURRENCY_DECIMALS } from '@lodge/shared/billing/currencies.ts'
import { CYCLES } from '@lodge/shared/billing/cycles.ts'
import type { PriceInput } from '@lodge/shared/billing/prices.ts'
import type { Plan } from '@lodge/shared/plans.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { useEffect, useRef } from 'react'
import { api } from '../../api.ts'
import { q } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { Button, IconButton } from '../../ui/buttons/button.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { useSaved } from '../../ui/form/use-saved.ts'
import { PlainRefusal } from '../../ui/notices/plain-refusal.ts'
import { Column, Row, Text } from '../../ui/page/layout.tsx'
import { cycleName } from './cycle-words.ts'
import { mergePrices } from './merge-prices.ts'
import styles from './plans.module.css'
import { draftOfPrice, type PriceDraft, PriceDrafts, priceOfDraft } from './price-draft.ts'
import { PriceSubscribers } from './price-subscribers.tsx'
import { priceText } from './price-words.ts'
import { t } from './words.ts'

interface Values {
  readonly prices: readonly PriceDraft[]
}
const FRESH: PriceDraft = {
  ...{ cycle: 'monthly', currency: 'EUR', amount: '', setupFee: '', trialDays: '' },
}

/** The prices of a plan; saved separately, because subscribers keep theirs. */
export function PricesPart({ plan }: { plan: Plan }) {
  const client = useQueryClient()
  const missing = useMissing()('plans.manage')
  const initial: Values = { prices: plan.prices.map(draftOfPrice) }
  /** The prices that whoever types here began with. */
  const known = useRef<readonly PriceInput[]>(plan.prices)
  const form = useForm<Values, Plan>({
    initial,
    schema: PriceDrafts,
    submit: async ({ prices: typed }) => {
      const params = { id: plan.id }
      // What is not sent is retired: what a colleague saved meanwhile goes with it.
      const newest = await api('GET /api/plans/{id}', { params })
      const { prices, conflict } = mergePrices(
        typed.map(priceOfDraft),
        known.current,
        newest.prices,
      )
      if (!conflict)
        return api('PUT /api/plans/{id}/prices', { params, body: { prices: [...prices] } })
      // They have been told of it, so that saving again replaces it.
      known.current = newest.prices
      client.setQueryData(['GET /api/plans/{id}', { params }], newest)
      form.setValues({ prices: prices.map(draftOfPrice) })
      const price = priceText(conflict.price)
      throw new PlainRefusal(
        conflict.isRemoved ? t.priceRemoved({ price }) : t.priceSaved({ price }),
      )
    },
    refreshes: ['GET /api/plans'],
    done: (saved, { prices }) => {
      // What is typed while this was sent is compared with what was sent.
      known.current = prices.map(priceOfDraft)
      client.setQueryData(['GET /api/plans/{id}', { params: { id: saved.id } }], saved)
    },
  })
  const unchanged = form.changed.length === 0
  useEffect(() => {
    if (unchanged) known.current = plan.prices
  }, [unchanged, plan.prices])
  useSaved(form, initial)
  useSavePart(form, { labelOf: () => t.prices, blocked: missing })
  const { prices } = form.values
  const disabled = missing !== undefined
  return (
    <FormSection title={t.prices} description={t.pricesHelp}>
      <Column>
        {prices.length === 0 ? <Text muted>{t.noPrices}</Text> : null}
        {prices.map((price, at) => (
          <PriceRow
            key={at}
            price={price}
            place={at + 1}
            disabled={disabled}
            errorOf={(field) => form.errors[`prices/${at}/${field}`]}
            onChange={(next) => form.set('prices', prices.with(at, next), `prices/${at}`)}
            onRemove={() => form.set('prices', prices.toSpliced(at, 1))}
          />
        ))}
        <Row>
          <Button
            icon={<Plus />}
            disabledBecause={missing}
            onClick={() => form.set('prices', [...prices, { ...FRESH, ...like(prices) }])}
          >
            {t.addPrice}
          </Button>
        </Row>
        {prices.some(({ trialDays }) => Number(trialDays) > 0) ? <TrialHint /> : null}
        <PriceSubscribers plan={plan} />
      </Column>
    </FormSection>
  )
}

/** Whether customers are asked for a payment method before a trial. */
function TrialHint() {
  const { data } = useQuery(q('GET /api/billing'))
  if (!data) return null
  const canBeSaved = data.waysToPay.some(({ saveMethod }) => saveMethod)
  return <Text muted>{canBeSaved ? t.trialAsks : t.trialAsksNothing}</Text>
}

/** The defaults of a further price: the currency of the last one, and the next longer cycle. */
function like(prices: readonly PriceDraft[]): Partial<PriceDraft> {
  const last = prices.at(-1)
  if (!last) return {}
  const { currency } = last
  const free = CYCLES.find(
    (cycle) =>
      cycle !== 'weekly' && !prices.some((one) => one.cycle === cycle && one.currency === currency),
  )
  return { currency, ...(free && { cycle: free }) }
}

interface PriceRowProps {
  price: PriceDraft
  place: number
  disabled: boolean
  errorOf: (field: keyof PriceDraft) => string | undefined
  onChange: (next: PriceDraft) => void
  onRemove: () => void
}

function PriceRow({ price, place, disabled, errorOf, onChange, onRemove }: PriceRowProps) {
  const field = (name: 'amount' | 'setupFee' | 'trialDays') => ({
    value: price[name],
    error: errorOf(name),
    disabled,
    autoComplete: 'off',
    onChange: (value: string) => onChange({ ...price, [name]: value }),
  })
  return (
    <section aria-label={t.priceAt({ place })}>
      <div className={styles.price}>
        <div className={styles.priceFields}>
          <SelectField
            label={t.cycle}
            width="fill"
            disabled={disabled}
            choices={CYCLES.map((value) => ({ value, label: cycleName(value) }))}
            value={price.cycle}
            error={errorOf('cycle')}
            onChange={(cycle) => onChange({ ...price, cycle })}
          />
          <TextField label={t.amount} width="fill" {...field('amount')} />
          <SelectField
            label={t.currency}
            width="fill"
            searchable
            disabled={disabled}
            choices={[...CURRENCY_DECIMALS.keys()].map((code) => ({ value: code, label: code }))}
            value={price.currency}
            onChange={(currency) => onChange({ ...price, currency: currency || price.currency })}
          />
          <TextField label={t.setupFee} width="fill" placeholder="0" {...field('setupFee')} />
          <TextField label={t.trialDays} width="fill" placeholder="0" {...field('trialDays')} />
        </div>
        <div className={styles.remove}>
          <IconButton
            label={t.removePrice({ place })}
            disabledBecause={disabled ? t.notAllowed : undefined}
            onClick={onRemove}
          >
            <Trash2 />
          </IconButton>
        </div>
      </div>
    </section>
  )
}
