import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Card } from '../../ui/card.tsx'
import { Choices } from '../../ui/choices.tsx'
import { Form, useForm } from '../../ui/form.tsx'
import { Loaded } from '../../ui/loaded.tsx'
import { toastDone } from '../../ui/toast.tsx'
import { CoolingOff } from './cooling-off.tsx'

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
  const client = useQueryClient()
  const form = useForm({
    initial: { selfService: saved.selfService },
    submit: (values) => api('PUT /api/limits/settings', { body: { ...saved, ...values } }),
    done: (next) => {
      client.setQueryData(['GET /api/limits/settings'], next)
      toastDone('Self-service saved')
    },
  })
  return (
    <Form
      form={form}
      label="Creation by customers"
      submitText="Save self-service"
      disabledBecause={
        form.values.selfService === saved.selfService ? 'Nothing has been changed' : undefined
      }
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
