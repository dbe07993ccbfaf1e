import type { LimitSettings } from '@lodge/shared/limits/settings.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { q } from '../../query.ts'
import { useMay } from '../../session/session.ts'
import { Choices } from '../../ui/choices/choices.tsx'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { WithDefault } from '../../ui/form/with-default.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { CoolingOff } from './cooling-off.tsx'
import { SelfServiceNeeds } from './self-service-needs.tsx'
import { useSettingsForm } from './settings-form.ts'
import { COOLING_OFF, CREATION } from './settings-groups.ts'

const MODES = [
  { value: 'off', label: 'Nobody', description: 'You create every server.' },
  {
    value: 'account_plans',
    label: 'With a plan',
    description: 'Customers whose plan or limits allow it.',
  },
  { value: 'everyone', label: 'Every customer', description: 'Within their limits.' },
] as const

/** What customers may do themselves. */
export default function SelfServiceTab() {
  const may = useMay()
  return (
    <SaveForm label="Self-service" submitText="Save settings">
      {may(CREATION.may) ? <Creation /> : null}
      {may(COOLING_OFF.may) ? <CoolingOff /> : null}
    </SaveForm>
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
    group: CREATION,
    initial: { selfService: saved.selfService },
    submit: (values) => api('PUT /api/limits/settings', { body: { ...saved, ...values } }),
    query: 'GET /api/limits/settings',
    said: 'Self-service saved',
  })
  return (
    <FormSection
      title={form.cardOf('selfService')}
      description="Customers create servers within their limits, from the templates that you show them."
    >
      <WithDefault {...form.standing('selfService', MODES)}>
        <Choices {...form.field('selfService')} choices={MODES} />
      </WithDefault>
      <SelfServiceNeeds mode={form.values.selfService} />
    </FormSection>
  )
}
