import { SelectField } from '../../ui/choices/select-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import type { BrandForm } from './brand-form.ts'
import { ColourField } from './colour-field.tsx'
import { t } from './words.ts'

/** Colours, mode and corners. */
export function LookFields({ form }: { form: BrandForm }) {
  const { mode } = form.values
  return (
    <FormSection title={t.colours} description={t.coloursText}>
      <ColourField label={t.accent} description={t.accentHelp} {...form.field('accent')} />
      <ColourField label={t.second} description={t.secondHelp} {...form.field('second')} />
      <SelectField
        label={t.mode}
        description={t.modeHelp}
        choices={[
          { value: 'system', label: t.system },
          { value: 'light', label: t.light },
          { value: 'dark', label: t.dark },
        ]}
        value={mode}
        onChange={(next) => form.set('mode', next === 'light' || next === 'dark' ? next : 'system')}
      />
      <NumberField label={t.radius} description={t.radiusHelp} {...form.field('radius')} />
    </FormSection>
  )
}
