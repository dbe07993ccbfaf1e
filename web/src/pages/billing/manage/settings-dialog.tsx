import { BillingSettings } from '@lodge/shared/billing/billing.ts'
import { useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import { api } from '../../../api.ts'
import { q } from '../../../query.ts'
import { useMissing } from '../../../session/session.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { rebased } from '../../../ui/form/changes.ts'
import { FieldGrid } from '../../../ui/form/fields.tsx'
import { Form, type FormState, useForm } from '../../../ui/form/form.tsx'
import { useSaved } from '../../../ui/form/use-saved.ts'
import { typedDecimal } from '../../../ui/locale/decimals.ts'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { Note } from '../../../ui/notices/note.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { t } from '../words.ts'

/** How customers pay, and what happens when they do not. */
export function SettingsDialog({ onClose }: { onClose: () => void }) {
  const settings = useQuery(q('GET /api/billing/settings'))
  return (
    <Dialog title={t.settings} opened onClose={onClose} wide>
      <Loaded query={settings}>
        {(data) => <SettingsForm settings={data} onClose={onClose} />}
      </Loaded>
    </Dialog>
  )
}

const DAYS = {
  invoiceDaysAhead: () => t.invoiceDaysAhead,
  checkoutDays: () => t.checkoutDays,
  graceDays: () => t.graceDays,
  terminateDays: () => t.terminateDays,
  keepDays: () => t.keepDays,
} as const
const dayFields = Object.keys(DAYS) as (keyof typeof DAYS)[]
type Days = { readonly [K in keyof typeof DAYS]: number | undefined }
interface Values extends Days {
  readonly instructions: string
  readonly sender: string
  readonly invoicePrefix: string
  readonly trialEnd: BillingSettings['trialEnd']
  readonly trialRequiresPaymentMethod: boolean
  readonly suspendDisputed: boolean
  readonly timeZone: string
  readonly taxBy: TaxBy
  readonly taxName: string
  readonly taxPercent: string
  readonly taxProvider: string
  readonly taxPlaceDays: number | undefined
}
type TaxBy = 'none' | 'rate' | 'provider'

const HUNDREDTHS = 100
const basisPoints = (typed: string): number => {
  const [, whole = '', parts = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))?$/.exec(typed.trim()) ?? []
  return Number(whole) * HUNDREDTHS + Number(parts.padEnd(2, '0'))
}

/** A tax is one thing of several fields. */
const TAX_GOES_WITH = {
  taxName: ['taxBy', 'taxPercent'],
  taxPercent: ['taxBy', 'taxName'],
  taxProvider: ['taxBy'],
} as const

const bodyOf = ({ taxBy, taxName, taxPercent, taxProvider, ...rest }: Values) => {
  const tax = {
    none: null,
    rate: { name: taxName, basisPoints: basisPoints(taxPercent) },
    provider: { provider: taxProvider },
  }
  return { ...rest, tax: tax[taxBy] }
}
const byOf = (tax: BillingSettings['tax']): TaxBy =>
  tax === null ? 'none' : 'provider' in tax ? 'provider' : 'rate'

const { tax: _, ...terms } = BillingSettings.shape
const Checked = z
  .object({
    ...terms,
    taxBy: z.enum(['none', 'rate', 'provider']),
    taxName: z.string().max(40),
    taxPercent: z.string(),
    taxProvider: z.string(),
  })
  .refine(({ taxBy, taxName }) => taxBy !== 'rate' || taxName.trim() !== '', {
    path: ['taxName'],
    error: () => t.taxNameMissing,
  })
  .refine(
    ({ taxBy, taxPercent }) =>
      taxBy !== 'rate' ||
      (basisPoints(taxPercent) > 0 && basisPoints(taxPercent) <= 100 * HUNDREDTHS),
    { path: ['taxPercent'], error: () => t.taxWrong },
  )
  .refine(({ taxBy, taxProvider }) => taxBy !== 'provider' || taxProvider !== '', {
    path: ['taxProvider'],
    error: () => t.taxProviderMissing,
  })

function valuesOf({ tax, ...rest }: BillingSettings): Values {
  const rate = tax !== null && 'name' in tax ? tax : undefined
  return {
    ...rest,
    taxBy: byOf(tax),
    taxName: rate?.name ?? '',
    taxPercent: rate ? typedDecimal(rate.basisPoints / HUNDREDTHS) : '',
    taxProvider: tax !== null && 'provider' in tax ? tax.provider : '',
  }
}

function SettingsForm({ settings, onClose }: { settings: BillingSettings; onClose: () => void }) {
  const missing = useMissing()('billing.settings')
  const initial = valuesOf(settings)
  const form = useForm<Values, BillingSettings>({
    initial,
    schema: Checked,
    submit: async (values, known) => {
      // All of them are sent: what a colleague saved meanwhile goes with them.
      const newest = valuesOf(await api('GET /api/billing/settings'))
      const body = BillingSettings.parse(bodyOf(rebased(values, known, newest, TAX_GOES_WITH)))
      return api('PUT /api/billing/settings', { body })
    },
    nameOf: (pointer) => (pointer === 'tax/provider' ? 'taxProvider' : pointer),
    refreshes: ['GET /api/billing/settings', 'GET /api/billing/tax'],
    done: () => {
      toastDone(t.settingsSaved)
      onClose()
    },
  })
  useSaved(form, initial)
  const trialEnd = form.field('trialEnd')
  return (
    <Form form={form} submitText={t.saveSettings} disabledBecause={missing}>
      <AreaField
        label={t.instructions}
        description={t.instructionsHelp}
        rows={4}
        {...form.field('instructions')}
      />
      <AreaField label={t.sender} rows={4} {...form.field('sender')} />
      <FieldGrid least={260}>
        <TextField label={t.invoicePrefix} width="fill" {...form.field('invoicePrefix')} />
        <SelectField
          label={t.trialEnd}
          width="fill"
          choices={[
            { value: 'cancel', label: t.trialEndCancel },
            { value: 'past_due', label: t.trialEndPastDue },
          ]}
          value={trialEnd.value}
          onChange={(next) => trialEnd.onChange(next === 'cancel' ? 'cancel' : 'past_due')}
        />
        {dayFields.map((name) => (
          <NumberField key={name} label={DAYS[name]()} width="fill" {...form.field(name)} />
        ))}
        <TextField
          label={t.timeZone}
          description={t.timeZoneHelp}
          width="fill"
          {...form.field('timeZone')}
        />
      </FieldGrid>
      <SwitchField
        label={t.trialRequires}
        description={t.trialRequiresHelp}
        {...form.field('trialRequiresPaymentMethod')}
      />
      {form.values.trialRequiresPaymentMethod ? <TrialNote /> : null}
      <TaxFields form={form} />
      <SwitchField label={t.suspendDisputed} {...form.field('suspendDisputed')} />
    </Form>
  )
}

/** Warns that no payment provider can save a method before a trial. */
function TrialNote() {
  const { data } = useQuery(q('GET /api/billing'))
  return data && !data.waysToPay.some(({ saveMethod }) => saveMethod) ? (
    <Note tone="info">{t.trialWithoutMethod}</Note>
  ) : null
}

/** The tax of future invoices: none, a fixed rate, or what a plugin calculates. */
function TaxFields({ form }: { form: FormState<Values> }) {
  const { data } = useQuery(q('GET /api/billing/tax'))
  const { taxBy, taxProvider } = form.values
  const providers = data?.providers ?? []
  const isOff = data !== undefined && !providers.some(({ id }) => id === taxProvider)
  const choices = providers.map(({ id, name }) => ({ value: id, label: name }))
  const by = form.field('taxBy')
  return (
    <>
      <FieldGrid least={260}>
        <SelectField
          label={t.taxBy}
          width="fill"
          choices={[
            { value: 'none', label: t.taxByNone },
            { value: 'rate', label: t.taxByRate },
            { value: 'provider', label: t.taxByProvider },
          ]}
          value={by.value}
          onChange={(next) => by.onChange(next as TaxBy)}
        />
        {taxBy === 'rate' ? (
          <>
            <TextField label={t.taxName} width="fill" {...form.field('taxName')} />
            <TextField label={t.taxPercent} width="fill" {...form.field('taxPercent')} />
          </>
        ) : null}
        {taxBy === 'provider' && (choices.length > 0 || taxProvider !== '') ? (
          <SelectField
            label={t.taxProvider}
            width="fill"
            choices={
              isOff && taxProvider !== ''
                ? [...choices, { value: taxProvider, label: t.providerOff({ id: taxProvider }) }]
                : choices
            }
            {...form.field('taxProvider')}
          />
        ) : null}
        {taxBy === 'provider' ? (
          <NumberField
            label={t.taxPlaceDays}
            description={t.taxPlaceDaysHelp}
            width="fill"
            {...form.field('taxPlaceDays')}
          />
        ) : null}
      </FieldGrid>
      {taxBy === 'provider' ? (
        choices.length === 0 ? (
          <Note tone="warn">{t.noTaxProvider}</Note>
        ) : (
          <Text muted>{t.taxProviderHelp}</Text>
        )
      ) : null}
    </>
  )
}
