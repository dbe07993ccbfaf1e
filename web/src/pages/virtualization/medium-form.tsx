import { RegisterVmMedium } from '@lodge/shared/vms.ts'
import { api } from '../../api.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'

const KINDS = [
  { value: 'iso', label: 'Installation medium (ISO)' },
  { value: 'qcow2', label: 'Disk image, qcow2 (cloud image)' },
  { value: 'raw', label: 'Disk image, raw' },
]

interface Values {
  name: string
  url: string
  sha256: string
  kind: string
}

/** A medium by its address and its fingerprint; it is downloaded and checked before any use. */
export function MediumForm({ onDone }: { onDone: () => void }) {
  const form = useForm<Values, unknown>({
    initial: { name: '', url: '', sha256: '', kind: 'iso' },
    schema: RegisterVmMedium,
    submit: (values) =>
      api('POST /api/virtualization/media', { body: RegisterVmMedium.parse(values) }),
    refreshes: ['GET /api/virtualization/catalogue', 'GET /api/jobs'],
    done: () => {
      onDone()
    },
  })
  return (
    <Form form={form} submitText="Register medium">
      <TextField
        label="Name"
        placeholder="Debian 13, network installation"
        {...form.field('name')}
      />
      <SelectField label="Kind" choices={KINDS} {...form.field('kind')} />
      <TextField
        label="Address"
        description="HTTPS; what is there must never change"
        placeholder="https://cdimage.debian.org/…"
        {...form.field('url')}
      />
      <TextField
        label="SHA-256"
        description="From the publisher, not from the same server"
        mono
        {...form.field('sha256')}
      />
    </Form>
  )
}
