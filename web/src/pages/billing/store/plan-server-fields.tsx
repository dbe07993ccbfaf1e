import type { StorePlan } from '@lodge/shared/billing/billing.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import type { FormState } from '../../../ui/form/form.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { includedWords } from '../../limits/included-words.ts'
import { t } from '../words.ts'
import type { CheckoutValues } from './checkout-values.ts'
import { MachineAccessFields } from './machine-access-fields.tsx'

/** What the server of a plan is to be; nothing for a plan without one. */
export function PlanServerFields<V extends CheckoutValues>({
  form: given,
  plan,
}: {
  form: FormState<V>
  plan: StorePlan
}) {
  if (!plan.preset) return null
  // It reads and writes only its own fields.
  const form = given as unknown as FormState<CheckoutValues>
  const isMachine = plan.preset.vm !== undefined
  const included = includedWords(plan.preset.limits)
  return (
    <>
      {included.length === 0 ? null : <Text muted>{included.join(' · ')}</Text>}
      <TextField
        label={t.serverName}
        autoComplete="off"
        width="fill"
        {...form.field('name', 'server/name')}
      />
      {isMachine && plan.templates.length < 2 ? null : (
        <SelectField
          label={isMachine ? t.hardware : t.template}
          width="fill"
          choices={plan.templates.map(({ id, name }) => ({ value: id, label: name }))}
          {...form.field('templateId', 'server/templateId')}
        />
      )}
      {isMachine ? <MachineAccessFields form={form} media={plan.media} /> : null}
      {plan.locations.length < 2 ? null : (
        <SelectField
          label={t.location}
          width="fill"
          placeholder={t.anyLocation}
          choices={plan.locations.map((name) => ({ value: name, label: name }))}
          {...form.field('location', 'server/location')}
        />
      )}
    </>
  )
}
