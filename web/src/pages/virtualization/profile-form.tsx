import { CreateVmProfile } from '@lodge/shared/vms.ts'
import { api } from '../../api.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { Column, Grid, Text } from '../../ui/page/layout.tsx'
import type { Profile } from './profile.ts'
import { t } from './words.ts'

interface Values {
  name: string
  description: string
  /** The profile whose firmware is copied. */
  firmwareOf: string
  tpm: boolean
  cpuModel: string
  diskBus: string
  nicModel: string
  video: string
  guestAgent: boolean
}

const choices = (...values: readonly string[]) => values.map((value) => ({ value, label: value }))

/** Creates a custom profile: the firmware of an existing one, and chosen devices. */
export function ProfileForm({
  profiles,
  onDone,
}: {
  profiles: readonly Profile[]
  onDone: () => void
}) {
  const first = profiles[0]
  const bodyOf = ({ name, description, firmwareOf, ...hardware }: Values) => {
    const base = profiles.find(({ id }) => id === firmwareOf)?.hardware
    return {
      name,
      description,
      hardware: {
        ...hardware,
        machine: 'q35',
        firmware: base?.firmware ?? { kind: 'bios' },
        ...(base ? { minimum: base.minimum } : {}),
      },
    }
  }
  const form = useForm<Values, unknown>({
    initial: {
      name: '',
      description: '',
      firmwareOf: first?.id ?? '',
      tpm: first?.hardware.tpm ?? false,
      cpuModel: first?.hardware.cpuModel ?? 'host',
      diskBus: first?.hardware.diskBus ?? 'virtio',
      nicModel: first?.hardware.nicModel ?? 'virtio',
      video: first?.hardware.video ?? 'virtio',
      guestAgent: true,
    },
    schema: CreateVmProfile,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/virtualization/profiles', { body: CreateVmProfile.parse(bodyOf(values)) }),
    refreshes: ['GET /api/virtualization/catalogue'],
    done: () => {
      onDone()
    },
  })
  return (
    <Form form={form} command submitText={t.createProfile}>
      <Column gap={14}>
        <Grid least={240}>
          <TextField label={t.name} {...form.field('name')} />
          <TextField label={t.description} {...form.field('description')} />
          <SelectField
            label={t.firmwareOf}
            choices={profiles.map(({ id, name }) => ({ value: id, label: name }))}
            {...form.field('firmwareOf')}
          />
          <TextField
            label={t.processor}
            description={t.processorHelp}
            mono
            {...form.field('cpuModel')}
            error={form.errors['hardware/cpuModel']}
          />
          <SelectField
            label={t.diskBus}
            choices={choices('virtio', 'scsi', 'sata')}
            {...form.field('diskBus')}
          />
          <SelectField
            label={t.networkCard}
            choices={choices('virtio', 'e1000e')}
            {...form.field('nicModel')}
          />
          <SelectField
            label={t.graphics}
            choices={choices('virtio', 'vga', 'qxl', 'none')}
            {...form.field('video')}
          />
        </Grid>
        <SwitchField label={t.tpm2} {...form.field('tpm')} />
        <SwitchField label={t.guestAgent} {...form.field('guestAgent')} />
        <Text small muted>
          {t.profileFixed}
        </Text>
      </Column>
    </Form>
  )
}
