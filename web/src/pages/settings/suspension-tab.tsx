import type { ReasonTemplate, SuspensionOptions } from '@lodge/shared/suspensions.ts'
import { useQuery } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { WithDefault } from '../../ui/form/with-default.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { OptionTicks } from '../suspensions/option-ticks.tsx'
import { ReasonTemplates } from './reason-templates.tsx'
import { useSettingsForm } from './settings-form.ts'
import { SUSPENSION } from './suspension-group.ts'
import { t } from './words.ts'

type Saved = Reply<'GET /api/support/suspension-settings'>

interface Values {
  options: SuspensionOptions
  templates: readonly ReasonTemplate[]
  appealEnabled: boolean
  appealWindowDays: number | undefined
  retentionDays: number | undefined
}

/** What suspensions do by default, ready reasons, appeals, and how long texts are kept. */
export default function SuspensionTab() {
  const settings = useQuery(q('GET /api/support/suspension-settings'))
  return (
    <Loaded query={settings} lines={8}>
      {(saved) => (
        <SaveForm label={t.suspension} submitText={t.saveSettings}>
          <SuspensionForm saved={saved} />
        </SaveForm>
      )}
    </Loaded>
  )
}

function SuspensionForm({ saved }: { saved: Saved }) {
  const form = useSettingsForm({
    group: SUSPENSION,
    saved,
    valuesOf: (saved): Values => saved,
    submit: ({ templates, appealWindowDays, retentionDays, ...values }, newest) =>
      api('PUT /api/support/suspension-settings', {
        body: {
          ...values,
          templates: [...templates],
          appealWindowDays: appealWindowDays ?? newest.appealWindowDays,
          retentionDays: retentionDays ?? newest.retentionDays,
        },
      }),
    query: 'GET /api/support/suspension-settings',
    said: t.suspensionSaved,
  })
  return (
    <>
      <FormSection title={form.cardOf('options')} description={t.suspensionDefaultsText}>
        <OptionTicks
          value={form.values.options}
          onChange={(options) => form.set('options', options)}
        />
      </FormSection>
      <FormSection title={form.cardOf('templates')} description={t.reasonTemplatesText}>
        <ReasonTemplates
          value={form.values.templates}
          errors={form.errors}
          onChange={(templates) => form.set('templates', templates)}
        />
      </FormSection>
      <FormSection title={form.cardOf('appealEnabled')} description={t.appealsText}>
        <WithDefault {...form.standing('appealEnabled')}>
          <SwitchField {...form.field('appealEnabled')} />
        </WithDefault>
        <WithDefault {...form.standing('appealWindowDays')}>
          <NumberField {...form.field('appealWindowDays')} />
        </WithDefault>
      </FormSection>
      <FormSection title={form.cardOf('retentionDays')} description={t.retentionText}>
        <WithDefault {...form.standing('retentionDays')}>
          <NumberField {...form.field('retentionDays')} />
        </WithDefault>
      </FormSection>
    </>
  )
}
