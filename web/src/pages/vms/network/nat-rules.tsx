import { ChangeVmNetwork } from '@lodge/shared/vms.ts'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { api } from '../../../api.ts'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { useLacking } from '../../servers/one/use-rights.ts'
import { useVmChanged, type Vm } from '../use-vm.ts'
import styles from '../vm.module.css'

interface Rule {
  readonly key: number
  readonly hostPort: string
  readonly protocol: string
  readonly guestPort: number | undefined
}
interface Values {
  rules: readonly Rule[]
}

const PROTOCOLS = [
  { value: 'tcp', label: 'TCP' },
  { value: 'udp', label: 'UDP' },
]

const bodyOf = ({ rules }: Values) => ({
  rules: rules.map(({ hostPort, protocol, guestPort }) => ({
    hostPort: Number(hostPort),
    protocol,
    guestPort,
  })),
})

/** Where the node's ports lead in the guest; all rules are saved together. */
export function NatRules({ serverId, vm }: { serverId: string; vm: Vm }) {
  const changed = useVmChanged()
  const lacking = useLacking(serverId)('POST /api/servers/{id}/vm/network', 'vm.network')
  const form = useForm<Values, unknown>({
    initial: {
      rules: vm.ports
        .flatMap(({ rules }) => rules)
        .map((rule, key) => ({ ...rule, key, hostPort: String(rule.hostPort) })),
    },
    schema: ChangeVmNetwork,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/servers/{id}/vm/network', {
        params: { id: serverId },
        body: ChangeVmNetwork.parse(bodyOf(values)),
      }),
    done: () => {
      changed()
      toastDone('Rules saved', 'They hold at once, also for a machine that runs.')
    },
  })
  const { rules } = form.values
  const ports = vm.ports.map(({ hostPort }) => ({
    value: String(hostPort),
    label: `${vm.hostAddress ?? 'node'}:${hostPort}`,
  }))
  const put = (index: number, change: Partial<Rule>): void =>
    form.set(
      'rules',
      rules.map((rule, at) => (at === index ? { ...rule, ...change } : rule)),
    )
  const add = (): void =>
    form.set('rules', [
      ...rules,
      {
        key: Math.max(0, ...rules.map(({ key }) => key)) + 1,
        hostPort: ports[0]?.value ?? '',
        protocol: 'tcp',
        guestPort: undefined,
      },
    ])
  return (
    <Card
      title="Where the ports lead"
      actions={
        <Button
          size="small"
          icon={<Plus />}
          disabledBecause={
            lacking ?? (ports.length === 0 ? 'This machine has no port: add one first' : undefined)
          }
          onClick={add}
        >
          Add rule
        </Button>
      }
    >
      <Form form={form} submitText="Save rules" disabledBecause={lacking}>
        <Column gap={12}>
          {rules.length === 0 ? <Text muted>No port leads into the guest.</Text> : null}
          {rules.map((rule, index) => (
            <div key={rule.key} className={styles.rule}>
              <SelectField
                label="From outside"
                choices={ports}
                value={rule.hostPort}
                error={form.errors[`rules/${index}/hostPort`] ?? form.errors[`rules/${index}`]}
                onChange={(hostPort) => put(index, { hostPort })}
              />
              <SelectField
                label="Protocol"
                choices={PROTOCOLS}
                value={rule.protocol}
                error={form.errors[`rules/${index}/protocol`]}
                onChange={(protocol) => put(index, { protocol })}
              />
              <NumberField
                label="To port of the guest"
                placeholder="22"
                value={rule.guestPort}
                error={form.errors[`rules/${index}/guestPort`]}
                onChange={(guestPort) => put(index, { guestPort })}
              />
              <IconButton
                label={`Remove the rule of port ${rule.hostPort}`}
                disabledBecause={lacking}
                onClick={() =>
                  form.set(
                    'rules',
                    rules.filter((_, at) => at !== index),
                  )
                }
              >
                <Trash2 />
              </IconButton>
            </div>
          ))}
        </Column>
      </Form>
    </Card>
  )
}
