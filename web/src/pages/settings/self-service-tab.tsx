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
import { t } from './words.ts'

const modes = () =>
  [
    { value: 'off', label: t.nobodyCreates, description: t.nobodyCreatesHelp },
    { value: 'account_plans', label: t.planCreates, description: t.planCreatesHelp },
    { value: 'everyone', label: t.everyoneCreates, description: t.everyoneCreatesHelp },
  ] as const

/** What customers may do themselves. */
export default function SelfServiceTab() {
  const may = useMay()
  return (
    <SaveForm label={t.selfService} submitText={t.saveSettings}>
      {may(CREATION.may) ? <Creation /> : null}
      {may(COOLING_OFF.may) ? <CoolingOff /> : null}
    </SaveForm>
  )
}

function Creation() {
  const settings = useQuery(q('GET /api/limits/settings'))
  return (
    <Loaded query={settings} lines={5}>
      {(saved) => <Mode saved={saved} />}
    </Loaded>
  )
}

function Mode({ saved }: { saved: LimitSettings }) {
  const form = useSettingsForm({
    group: CREATION,
    saved,
    valuesOf: ({ selfService }) => ({ selfService }),
    submit: (values, newest) => api('PUT /api/limits/settings', { body: { ...newest, ...values } }),
    query: 'GET /api/limits/settings',
    said: t.selfServiceSaved,
  })
  return (
    <FormSection title={form.cardOf('selfService')} description={t.creatingServersText}>
      <WithDefault {...form.standing('selfService', modes())}>
        <Choices {...form.field('selfService')} choices={modes()} />
      </WithDefault>
      <SelfServiceNeeds mode={form.values.selfService} />
    </FormSection>
  )
}
