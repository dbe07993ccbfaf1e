import { RegisterVmNetwork } from '@lodge/shared/vms.ts'
import { api, type Reply } from '../../api.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'

const MODES = [
  { value: 'nat', label: 'Made by Lodge on each node' },
  { value: 'configured', label: 'There already: I configured it in libvirt' },
]

interface Values {
  name: string
  mode: string
  libvirtName: string
  subnet: string
  gateway: string
  dns: string
  poolFrom: string
  poolTo: string
}

const bodyOf = ({ gateway, dns, ...rest }: Values) => ({
  ...rest,
  ...(gateway.trim() === '' ? {} : { gateway: gateway.trim() }),
  dns: dns.split(/[\s,;]+/).filter((one) => one !== ''),
})

/** Adds a network and the address range for its guests. */
export function NetworkForm({ onDone }: { onDone: (networkId: string) => void }) {
  const form = useForm<Values, Reply<'POST /api/virtualization/networks'>>({
    initial: {
      name: '',
      mode: 'nat',
      libvirtName: 'guests',
      subnet: '10.77.0.0/24',
      gateway: '',
      dns: '',
      poolFrom: '10.77.0.10',
      poolTo: '10.77.0.250',
    },
    schema: RegisterVmNetwork,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/virtualization/networks', { body: RegisterVmNetwork.parse(bodyOf(values)) }),
    refreshes: ['GET /api/virtualization/catalogue'],
    done: ({ id }) => onDone(id),
  })
  const dnsError = Object.entries(form.errors).find(([name]) => name.startsWith('dns'))?.[1]
  return (
    <Form form={form} submitText="Add network">
      <TextField label="Name" placeholder="Guests" {...form.field('name')} />
      <SelectField label="Who makes it" choices={MODES} {...form.field('mode')} />
      <TextField label="Name in libvirt" mono {...form.field('libvirtName')} />
      <TextField label="Subnet" mono {...form.field('subnet')} />
      <TextField label="First address for guests" mono {...form.field('poolFrom')} />
      <TextField label="Last address for guests" mono {...form.field('poolTo')} />
      <TextField
        label="Gateway (optional)"
        description="The first address of the subnet where it is left out"
        mono
        {...form.field('gateway')}
      />
      <TextField
        label="Name servers (optional)"
        description="Several with commas; the gateway where it is left out"
        mono
        {...form.field('dns')}
        error={dnsError}
      />
    </Form>
  )
}
