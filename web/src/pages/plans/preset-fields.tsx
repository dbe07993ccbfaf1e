import { useQuery } from '@tanstack/react-query'
import { qAll } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Choices } from '../../ui/choices/choices.tsx'
import { ManyField } from '../../ui/choices/many-field.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { CpuField, NumberField, SizeField } from '../../ui/fields/measure-fields.tsx'
import { FieldGrid } from '../../ui/form/fields.tsx'
import type { FormState } from '../../ui/form/form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { storagesOf } from '../servers/create/container/values.ts'
import { MachineFields } from './machine-fields.tsx'
import type { PlanValues } from './plan-values.ts'
import { t } from './words.ts'

const AS_NODE = 'node'

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
  const storages = storagesOf(nodes.data?.items ?? [])
  const isAway =
    form.values.storageId !== '' && storages.every(({ id }) => id !== form.values.storageId)
  const isMachine = form.values.workload === 'vm'
  return (
    <FormSection title={t.server} description={t.serverHelp}>
      <Choices
        label={t.workload}
        value={form.values.workload}
        disabled={disabled}
        choices={[
          { value: 'container', label: t.container, description: t.containerText },
          { value: 'vm', label: t.machine, description: t.machineText },
        ]}
        // Templates and hardware profiles are different things, so the choice is cleared.
        onChange={(workload) => form.setValues((old) => ({ ...old, workload, templateIds: [] }))}
      />
      {isMachine ? (
        <MachineFields form={form} disabled={disabled} />
      ) : (
        <ManyField
          label={t.templates}
          description={t.templatesHelp}
          disabled={disabled}
          choices={(templates.data?.items ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
          }))}
          {...form.field('templateIds')}
        />
      )}
      <ManyField
        label={t.locations}
        description={t.locationsHelp}
        disabled={disabled}
        choices={locations.map((name) => ({ value: name, label: name }))}
        {...form.field('locations')}
      />
      {storages.length === 0 && form.values.storageId === '' ? null : (
        <SelectField
          label={isMachine ? t.disks : t.files}
          description={t.filesHelp}
          disabled={disabled}
          choices={[
            { value: AS_NODE, label: t.asNode },
            ...storages.map(({ id, name }) => ({
              value: id,
              label: t.storageOf({ storage: name }),
            })),
            ...(isAway ? [{ value: form.values.storageId, label: t.storageNotHere }] : []),
          ]}
          {...form.field('storageId')}
          value={form.values.storageId || AS_NODE}
          onChange={(chosen) => form.set('storageId', chosen === AS_NODE ? '' : chosen)}
        />
      )}
      <FieldGrid least={180}>
        {isMachine ? (
          <NumberField
            label={t.vcpus}
            disabled={disabled}
            {...form.field('vcpus')}
            onChange={(vcpus) =>
              form.setValues((old) => ({
                ...old,
                vcpus,
                ...(vcpus && { cpuPercent: vcpus * 100 }),
              }))
            }
          />
        ) : null}
        <SizeField label={t.memory} disabled={disabled} {...form.field('memoryMb')} />
        <CpuField
          label={isMachine ? t.cpuOfMachine : t.cpu}
          disabled={disabled}
          {...form.field('cpuPercent')}
        />
        <SizeField
          label={isMachine ? t.systemDisk : t.disk}
          disabled={disabled}
          {...form.field('diskMb')}
        />
      </FieldGrid>
    </FormSection>
  )
}
