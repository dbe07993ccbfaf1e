import { useQuery } from '@tanstack/react-query'
import { qAll } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { ManyField } from '../../ui/choices/many-field.tsx'
import { CpuField, SizeField } from '../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../ui/form/fields.tsx'
import type { FormState } from '../../ui/form/form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import type { PlanValues } from './plan-values.ts'
import { t } from './words.ts'

/** The server that comes with a plan. */
export function PresetFields({
  form,
  disabled,
}: {
  form: FormState<PlanValues>
  disabled: boolean
}) {
  const may = useMay()
  const templates = useQuery({ ...qAll('GET /api/templates'), enabled: may('templates.view') })
  const nodes = useQuery({ ...qAll('GET /api/nodes'), enabled: may('nodes.view') })
  const locations = [...new Set((nodes.data?.items ?? []).map(({ location }) => location))]
  return (
    <FormSection title={t.server} description={t.serverHelp}>
      <ManyField
        label={t.templates}
        description={t.templatesHelp}
        disabled={disabled}
        choices={(templates.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        {...form.field('templateIds')}
      />
      <ManyField
        label={t.locations}
        description={t.locationsHelp}
        disabled={disabled}
        choices={locations.map((name) => ({ value: name, label: name }))}
        {...form.field('locations')}
      />
      <FieldGrid least={180}>
        <SizeField label={t.memory} disabled={disabled} {...form.field('memoryMb')} />
        <CpuField label={t.cpu} disabled={disabled} {...form.field('cpuPercent')} />
        <SizeField label={t.disk} disabled={disabled} {...form.field('diskMb')} />
      </FieldGrid>
    </FormSection>
  )
}
