import { CreateServer } from '@lodge/shared/servers.ts'
import { api, type Reply } from '../../../../api.ts'
import { paths } from '../../../../paths.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { NumberField } from '../../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import { CreateFrame } from '../create-frame.tsx'
import type { Draft } from '../drafts.ts'
import { useServerCreated } from '../server-created.ts'
import { useKindForm } from '../use-kind-form.ts'
import { ProfileTiles } from '../vm/profile-tiles.tsx'
import { SourceFields } from '../vm/source-fields.tsx'
import { VmSizeFields } from '../vm/vm-size-fields.tsx'
import { VmSummary } from '../vm/vm-summary.tsx'
import { type VmValues, vmBodyOf, waysOf } from '../vm/vm-values.ts'
import { t } from '../words.ts'
import { firstOwnMachine, machineSizes } from './own-machine.ts'
import { mostOf, type Options } from './quota.ts'
import { QuotaMeters } from './quota-meters.tsx'

const OwnMachine = CreateServer.pick({
  templateId: true,
  vm: true,
  name: true,
  memoryMb: true,
  diskMb: true,
  location: true,
  start: true,
})

interface OwnMachineFormProps {
  options: Options
  own: Draft<VmValues>
  other: Draft<unknown>
}

/** Creates a customer's own virtual machine, from what the host has released and within the limits. */
export function OwnMachineForm({ options, own, other }: OwnMachineFormProps) {
  const { machines, limits } = options
  const initial = firstOwnMachine(options)
  const form = useKindForm<VmValues, Reply<'POST /api/me/servers'>>({
    own,
    other,
    ways: waysOf(initial, machines, machines),
    initial,
    schema: OwnMachine,
    toBody: vmBodyOf,
    submit: (values) => api('POST /api/me/servers', { body: OwnMachine.parse(vmBodyOf(values)) }),
    done: useServerCreated(paths.serverScreen),
  })
  const { values, errors } = form
  return (
    <CreateFrame
      form={form}
      submitText={t.createMachine}
      summary={
        <Column gap={12}>
          <VmSummary values={values} catalogue={machines} />
          <QuotaMeters limits={limits} sizes={machineSizes(values)} />
        </Column>
      }
    >
      <Card title={t.hardware}>
        <ProfileTiles form={form} profiles={machines.profiles} />
      </Card>
      <Card title={t.machineCard}>
        <TextField
          label={t.name}
          placeholder={t.exampleMachine}
          autoComplete="off"
          {...form.field('name')}
        />
      </Card>
      <Card title={t.startsFrom}>
        <SourceFields form={form} catalogue={machines} />
      </Card>
      <Card title={t.size}>
        <VmSizeFields form={form} most={(part) => mostOf(limits, part)} />
      </Card>
      <Card title={t.placeAndNetwork}>
        <FieldGrid>
          {machines.locations.length > 1 ? (
            <SelectField
              label={t.location}
              placeholder={t.anywhere}
              choices={machines.locations.map((value) => ({ value, label: value }))}
              {...form.field('location')}
            />
          ) : null}
          {machines.networks.length > 1 ? (
            <SelectField
              label={t.network}
              placeholder={t.anyNetwork}
              choices={machines.networks.map(({ id, name }) => ({ value: id, label: name }))}
              {...form.field('networkId')}
              error={errors.networkId ?? errors['vm/networkId']}
            />
          ) : null}
          <NumberField
            label={t.guestPort}
            description={t.guestPortTextCustomer}
            {...form.field('guestPort')}
            error={errors.guestPort ?? errors['vm/guestPort']}
          />
        </FieldGrid>
      </Card>
    </CreateFrame>
  )
}
