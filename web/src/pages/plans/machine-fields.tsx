import { useQuery } from '@tanstack/react-query'
import { q } from '../../query.ts'
import { ManyField } from '../../ui/choices/many-field.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import type { FormState } from '../../ui/form/form.tsx'
import type { PlanValues } from './plan-values.ts'
import { t } from './words.ts'

/** Hardware, media and network of a plan's virtual machine. */
export function MachineFields({
  form,
  disabled,
}: {
  form: FormState<PlanValues>
  disabled: boolean
}) {
  const { data } = useQuery(q('GET /api/virtualization/catalogue'))
  const profiles = (data?.profiles ?? []).filter(({ enabled }) => enabled)
  const media = (data?.media ?? []).filter(({ enabled, state }) => enabled && state === 'ready')
  const networks = (data?.networks ?? []).filter(({ enabled }) => enabled)
  const choiceOf = ({ id, name }: { id: string; name: string }) => ({ value: id, label: name })
  return (
    <>
      <ManyField
        label={t.hardware}
        description={t.hardwareHelp}
        disabled={disabled}
        choices={profiles.map(choiceOf)}
        {...form.field('templateIds')}
      />
      <ManyField
        label={t.media}
        description={t.mediaHelp}
        disabled={disabled}
        choices={media.map(choiceOf)}
        {...form.field('mediaIds')}
      />
      <SelectField
        label={t.network}
        description={t.networkHelp}
        placeholder={t.anyNetwork}
        width="address"
        disabled={disabled}
        choices={networks.map(choiceOf)}
        {...form.field('networkId')}
      />
    </>
  )
}
