import { ChangeVmNetwork } from '@lodge/shared/vms.ts'
import Plus from 'lucide-react/icons/plus'
import Trash2 from 'lucide-react/icons/trash-2'
import { api } from '../../../api.ts'
import { Button, IconButton } from '../../../ui/buttons/button.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import { useForm } from '../../../ui/form/form.tsx'
import { SaveForm } from '../../../ui/form/save-form.tsx'
import { useSavePart } from '../../../ui/form/use-save-part.ts'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Card } from '../../../ui/page/card.tsx'
import { Column, Text } from '../../../ui/page/layout.tsx'
import { useLacking } from '../../servers/one/use-rights.ts'
import { useVmChanged, type Vm } from '../use-vm.ts'
import styles from '../vm.module.css'
import { t } from '../words.ts'

interface Rule {
  readonly key: number
  readonly hostPort: string
  readonly protocol: string
  readonly guestPort: number | undefined
}
interface Values {
  rules: readonly Rule[]
}

const protocols = () => [
  { value: 'tcp', label: t.tcp },
  { value: 'udp', label: t.udp },
]

const bodyOf = ({ rules }: Values) => ({
  rules: rules.map(({ hostPort, protocol, guestPort }) => ({
    hostPort: Number(hostPort),
    protocol,
    guestPort,
  })),
})

interface NatRulesProps {
  serverId: string
  vm: Vm
}

/** Where the node's ports lead in the guest; all rules are saved together. */
export const NatRules = (props: NatRulesProps) => (
  <SaveForm label={t.portRules} submitText={t.saveRules}>
    <RulesCard {...props} />
  </SaveForm>
)

function RulesCard({ serverId, vm }: NatRulesProps) {
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
      toastDone(t.rulesSaved, t.rulesSavedText)
    },
  })
  useSavePart(form, { labelOf: () => t.portRules, blocked: lacking })
  const { rules } = form.values
  const ports = vm.ports.map(({ hostPort }) => ({
    value: String(hostPort),
    label: t.nodePort({ node: vm.hostAddress ?? t.nodeAddress, port: String(hostPort) }),
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
      title={t.portRules}
      actions={
        <Button
          size="small"
          icon={<Plus />}
          disabledBecause={lacking ?? (ports.length === 0 ? t.noPort : undefined)}
          onClick={add}
        >
          {t.addRule}
        </Button>
      }
    >
      <Column gap={12}>
        {rules.length === 0 ? <Text muted>{t.noRules}</Text> : null}
        {rules.map((rule, index) => (
          <div key={rule.key} className={styles.rule}>
            <SelectField
              label={t.fromOutside}
              choices={ports}
              value={rule.hostPort}
              error={form.errors[`rules/${index}/hostPort`] ?? form.errors[`rules/${index}`]}
              onChange={(hostPort) => put(index, { hostPort })}
            />
            <SelectField
              label={t.protocol}
              choices={protocols()}
              value={rule.protocol}
              error={form.errors[`rules/${index}/protocol`]}
              onChange={(protocol) => put(index, { protocol })}
            />
            <NumberField
              label={t.toGuest}
              placeholder="22"
              value={rule.guestPort}
              error={form.errors[`rules/${index}/guestPort`]}
              onChange={(guestPort) => put(index, { guestPort })}
            />
            <IconButton
              label={t.removeRule({ port: rule.hostPort })}
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
    </Card>
  )
}
