import { RegisterVmNetwork } from '@lodge/shared/vms.ts'
import { api, type Reply } from '../../api.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { t } from './words.ts'

const modes = () => [
  { value: 'nat', label: t.madeByLodge },
  { value: 'configured', label: t.thereAlready },
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
    <Form form={form} command submitText={t.addNetwork}>
      <TextField label={t.name} placeholder={t.exampleNetwork} {...form.field('name')} />
      <SelectField label={t.whoMakes} choices={modes()} {...form.field('mode')} />
      <TextField label={t.libvirtName} mono {...form.field('libvirtName')} />
      <TextField label={t.subnet} mono {...form.field('subnet')} />
      <TextField label={t.firstAddress} mono {...form.field('poolFrom')} />
      <TextField label={t.lastAddress} mono {...form.field('poolTo')} />
      <TextField
        label={t.gatewayOptional}
        description={t.gatewayHelp}
        mono
        {...form.field('gateway')}
      />
      <TextField
        label={t.dnsOptional}
        description={t.dnsHelp}
        mono
        {...form.field('dns')}
        error={dnsError}
      />
    </Form>
  )
}
