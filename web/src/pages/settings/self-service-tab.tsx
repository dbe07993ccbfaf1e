import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Card } from '../../ui/card.tsx'
import { Choices } from '../../ui/choices.tsx'
import { Form } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { CoolingOff } from './cooling-off.tsx'
import { useSettingsForm } from './settings-form.ts'

const MODES = [
  { value: 'off', label: 'Nobody', description: 'You create every server' },
  {
    value: 'account_plans',
    label: 'With a plan',
    description: 'Customers whose plan, or whose limits by hand, say so',
  },
  { value: 'everyone', label: 'Every customer', description: 'Within their limits' },
] as const

/** What customers may do by themselves. */
export default function SelfServiceTab() {
  const may = useMay()
  return (
    <>
      {may('limits.settings') ? <Creation /> : null}
      {may('settings.manage') ? <CoolingOff /> : null}
    </>
  )
}

function Creation() {
  const settings = useQuery(q('GET /api/limits/settings'))
  return (
    <Loaded query={settings} lines={5}>
      {(saved) => <Mode key={JSON.stringify(saved)} saved={saved} />}
    </Loaded>
  )
}

function Mode({ saved }: { saved: LimitSettings }) {
  const form = useSettingsForm({
    initial: { selfService: saved.selfService },
    submit: (values) => api('PUT /api/limits/settings', { body: { ...saved, ...values } }),
    query: 'GET /api/limits/settings',
    said: 'Self-service saved',
  })
  return (
    <Form
      form={form}
      label="Creation by customers"
      submitText="Save self-service"
      disabledBecause={form.unchanged}
    >
      <Card title="Who may create servers by themselves">
        <Choices
          label="Who may create servers by themselves"
          value={form.values.selfService}
          choices={MODES}
          onChange={(mode) => form.set('selfService', mode)}
        />
      </Card>
    </Form>
  )
}
