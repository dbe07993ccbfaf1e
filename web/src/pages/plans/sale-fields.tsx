import { VISIBILITIES, type Visibility } from '@lodge/shared/plans.ts'
import { paths } from '../../paths.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { Copyable } from '../../ui/data/copy.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../ui/form/fields.tsx'
import type { FormState } from '../../ui/form/form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import type { PlanValues } from './plan-values.ts'
import { t } from './words.ts'

const WORDS: Record<Visibility, () => string> = {
  public: () => t.visiblePublic,
  customers: () => t.visibleCustomers,
  unlisted: () => t.visibleUnlisted,
  hidden: () => t.visibleHidden,
}

/** To whom, how often and with which description a plan is sold. */
export function SaleFields({
  form,
  disabled,
  planId,
}: {
  form: FormState<PlanValues>
  disabled: boolean
  /** Undefined for a plan that is not made yet and so has no link. */
  planId: string | undefined
}) {
  const visibility = form.field('visibility')
  return (
    <FormSection title={t.sale} description={t.saleHelp}>
      <SwitchField
        label={t.active}
        description={t.activeHelp}
        disabled={disabled}
        {...form.field('active')}
      />
      <SelectField
        label={t.visibility}
        width="address"
        disabled={disabled}
        choices={VISIBILITIES.map((value) => ({ value, label: WORDS[value]() }))}
        {...visibility}
      />
      {visibility.value === 'unlisted' && planId !== undefined ? (
        <Column gap={4}>
          <Text small muted>
            {t.linkText}
          </Text>
          <Copyable
            value={`${location.origin}${paths.store}?plan=${planId}`}
            label={t.copyPlanLink}
          />
        </Column>
      ) : null}
      <FieldGrid least={200}>
        <NumberField
          label={t.stock}
          description={t.stockHelp}
          placeholder={t.unlimited}
          disabled={disabled}
          {...form.field('stock')}
        />
        <NumberField
          label={t.perCustomer}
          description={t.perCustomerHelp}
          placeholder={t.unlimited}
          disabled={disabled}
          {...form.field('perCustomerMax')}
        />
      </FieldGrid>
      <AreaField
        label={t.featuresOptional}
        description={t.featuresHelp}
        rows={3}
        disabled={disabled}
        {...form.field('features')}
      />
    </FormSection>
  )
}
