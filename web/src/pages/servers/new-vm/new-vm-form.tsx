import { CreateServer } from '@lodge/shared/servers.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { api, Refusal, type Reply } from '../../../api.ts'
import { paths } from '../../../paths.ts'
import { useMissing } from '../../../session/session.ts'
import { Card } from '../../../ui/card.tsx'
import { Form, useForm } from '../../../ui/form.tsx'
import { Column, Split } from '../../../ui/layout.tsx'
import { Note } from '../../../ui/note.tsx'
import { SwitchField } from '../../../ui/switch-field.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { Tiles } from '../../../ui/tiles.tsx'
import { firmwareWords } from '../../server/vm/hardware-words.ts'
import styles from '../new-server/new-server.module.css'
import { OwnerField } from '../new-server/owner-field.tsx'
import type { Node } from '../new-server/values.ts'
import { SourceFields } from './source-fields.tsx'
import { VmPlaceFields } from './vm-place-fields.tsx'
import { VmSizeFields } from './vm-size-fields.tsx'
import { VmSummary } from './vm-summary.tsx'
import { type Catalogue, initialVm, type VmValues, vmBodyOf } from './vm-values.ts'

interface NewVmFormProps {
  catalogue: Catalogue
  nodes: readonly Node[]
  ownerId: string | undefined
}

/** The form of a new virtual machine: hardware, what it begins with, size, place. */
export function NewVmForm({ catalogue, nodes, ownerId }: NewVmFormProps) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const missing = useMissing()
  const form = useForm<VmValues, Reply<'POST /api/servers'>>({
    initial: initialVm(catalogue, ownerId ?? ''),
    schema: CreateServer,
    toBody: vmBodyOf,
    submit: (values) => api('POST /api/servers', { body: vmBodyOf(values) }),
    done: ({ serverId }) => {
      void client.invalidateQueries({ queryKey: ['GET /api/servers'] })
      void client.invalidateQueries({ queryKey: ['GET /api/jobs'] })
      void navigate({ to: paths.serverScreen, params: { id: serverId } })
    },
  })
  const { values } = form
  const profiles = catalogue.profiles.filter(({ enabled }) => enabled)
  const limited = form.refusal instanceof Refusal && form.refusal.problem.code === 'limit_exceeded'
  const choose = (profileId: string): void => {
    const least = profiles.find(({ id }) => id === profileId)?.hardware.minimum
    form.setValues((old) => ({
      ...old,
      profileId,
      vcpus: Math.max(old.vcpus ?? 0, least?.vcpus ?? 1),
      memoryMb: Math.max(old.memoryMb ?? 0, least?.memoryMb ?? 0),
      diskMb: Math.max(old.diskMb ?? 0, least?.diskMb ?? 0),
    }))
  }
  return (
    <Split side={320}>
      <Column>
        <Card title="Hardware">
          <Tiles
            legend="Hardware profile"
            items={profiles}
            keyOf={({ id }) => id}
            chosen={values.profileId}
            onChoose={choose}
          >
            {({ name, description, hardware }) => (
              <>
                <b>{name}</b>
                <small>
                  {description ||
                    `${firmwareWords(hardware.firmware)}${hardware.tpm ? ', TPM 2.0' : ''}`}
                </small>
              </>
            )}
          </Tiles>
        </Card>
        <Card title="Name and owner">
          <div className={styles.fields}>
            <TextField
              label="Name"
              placeholder="build-01"
              autoComplete="off"
              {...form.field('name')}
            />
            <OwnerField {...form.field('ownerId')} />
          </div>
        </Card>
        <Card title="Begins with">
          <SourceFields form={form} catalogue={catalogue} />
        </Card>
        <Card title="Size">
          <VmSizeFields form={form} />
        </Card>
        <Card title="Place and network">
          <VmPlaceFields form={form} nodes={nodes} networks={catalogue.networks} />
        </Card>
      </Column>
      <div className={styles.side}>
        <Card title="Summary">
          <Form
            form={form}
            submitText="Create machine"
            submitFull
            disabledBecause={catalogue.available ? undefined : 'No node takes virtual machines now'}
          >
            <VmSummary values={values} catalogue={catalogue} />
            <SwitchField label="Start after the installation" {...form.field('start')} />
            {limited || values.force ? (
              <SwitchField
                label="Exceed the limit"
                description={
                  missing('servers.force_limits') ??
                  'The limit of the customer is ignored for this machine'
                }
                disabled={missing('servers.force_limits') !== undefined}
                {...form.field('force')}
              />
            ) : null}
            {form.refusal === undefined && Object.keys(form.errors).length > 0 ? (
              <Note tone="warn">Some fields need your attention.</Note>
            ) : null}
          </Form>
        </Card>
      </div>
    </Split>
  )
}
