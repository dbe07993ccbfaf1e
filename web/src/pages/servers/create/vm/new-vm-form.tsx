import { CreateServer } from '@lodge/shared/servers.ts'
import { api, type Reply } from '../../../../api.ts'
import { paths } from '../../../../paths.ts'
import { useMe } from '../../../../session/session.ts'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { Note } from '../../../../ui/notices/note.tsx'
import { Card } from '../../../../ui/page/card.tsx'
import { Column } from '../../../../ui/page/layout.tsx'
import {
  freeOf,
  mostFree,
  type Node,
  nodesWith,
  roomiestFor,
  whyNoRoom,
} from '../container/values.ts'
import { CreateFrame } from '../create-frame.tsx'
import type { Draft } from '../drafts.ts'
import { LimitSwitch } from '../limit-switch.tsx'
import { machineSizes } from '../own/own-machine.ts'
import { OwnerField } from '../owner-field.tsx'
import { useServerCreated } from '../server-created.ts'
import { useKindForm } from '../use-kind-form.ts'
import { t } from '../words.ts'
import { NoMachinesNote } from './no-machines-note.tsx'
import { ProfileTiles } from './profile-tiles.tsx'
import { SourceFields } from './source-fields.tsx'
import { VmPlaceFields } from './vm-place-fields.tsx'
import { VmSizeFields } from './vm-size-fields.tsx'
import { VmSummary } from './vm-summary.tsx'
import { type Catalogue, initialVm, type VmValues, vmBodyOf, waysOf } from './vm-values.ts'

interface NewVmFormProps {
  catalogue: Catalogue
  nodes: readonly Node[]
  ownerId: string | undefined
  own: Draft<VmValues>
  other: Draft<unknown>
}

/** The form of a new virtual machine: hardware, initial disk, size, location. */
export function NewVmForm({ catalogue, nodes, ownerId, own, other }: NewVmFormProps) {
  const me = useMe()
  const fit = nodes.filter(({ virtualization }) => virtualization.enabled)
  const initial = initialVm(catalogue, ownerId ?? me.id, (usual, least) => {
    const likely = roomiestFor(fit, usual) ?? roomiestFor(fit, least)
    return likely ? freeOf(likely) : {}
  })
  const form = useKindForm<VmValues, Reply<'POST /api/servers'>>({
    own,
    other,
    ways: waysOf(initial, catalogue, {
      locations: fit.map(({ location }) => location),
      nodeIds: fit.map(({ id }) => id),
    }),
    initial,
    schema: CreateServer,
    toBody: vmBodyOf,
    submit: (values) => api('POST /api/servers', { body: vmBodyOf(values) }),
    done: useServerCreated(paths.serverScreen),
  })
  const { values } = form
  const able = nodesWith(values.storageId, fit)
  const whyNot = !catalogue.available
    ? t.noMachinesNow
    : catalogue.networks.some(({ enabled }) => enabled)
      ? whyNoRoom(machineSizes(values), values, able)
      : t.noNetworkYet
  const profiles = catalogue.profiles.filter(({ enabled }) => enabled)
  return (
    <CreateFrame
      form={form}
      submitText={t.createMachine}
      disabledBecause={whyNot}
      summary={
        <Column gap={12}>
          <VmSummary values={values} catalogue={catalogue} />
          {catalogue.available ? null : <NoMachinesNote nodes={nodes} />}
          {catalogue.available && whyNot !== undefined ? (
            <Note tone="warn">{t.because({ reason: whyNot })}</Note>
          ) : null}
        </Column>
      }
      more={<LimitSwitch form={form} thing="machine" />}
    >
      <Card title={t.hardware}>
        <ProfileTiles form={form} profiles={profiles} />
      </Card>
      <Card title={t.nameAndOwner}>
        <FieldGrid>
          <TextField
            label={t.name}
            placeholder={t.exampleMachine}
            autoComplete="off"
            {...form.field('name')}
          />
          <OwnerField {...form.field('ownerId')} />
        </FieldGrid>
      </Card>
      <Card title={t.startsFrom}>
        <SourceFields form={form} catalogue={catalogue} />
      </Card>
      <Card title={t.size}>
        <VmSizeFields form={form} most={(part) => mostFree(part, values, able)} />
      </Card>
      <Card title={t.placeAndNetwork}>
        <VmPlaceFields form={form} nodes={nodes} networks={catalogue.networks} />
      </Card>
    </CreateFrame>
  )
}
