import { served } from '@lodge/shared/panel-paths.ts'
import { StatusSettings } from '@lodge/shared/status.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { q } from '../../query.ts'
import { useMissing } from '../../session/session.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { useSaved } from '../../ui/form/use-saved.ts'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { t } from './words.ts'

const labels = (): Readonly<Record<keyof StatusSettings, string>> => ({
  enabled: t.enabled,
  title: t.pageTitle,
  intro: t.intro,
  timeZone: t.timeZone,
  subscriptions: t.subscriptions,
})

/** Whether there is a public page, its title, and whether people may subscribe. */
export default function SettingsTab() {
  const settings = useQuery(q('GET /api/status/settings'))
  return (
    <Loaded query={settings} lines={6}>
      {(saved) => (
        <SaveForm label={t.settings} submitText={t.saveSettings}>
          <Fields saved={saved} />
        </SaveForm>
      )}
    </Loaded>
  )
}

function Fields({ saved }: { saved: StatusSettings }) {
  const subscribers = useQuery(q('GET /api/status/subscribers'))
  const form = useForm<StatusSettings, unknown>({
    initial: saved,
    schema: StatusSettings,
    submit: (body) => api('PUT /api/status/settings', { body }),
    refreshes: ['GET /api/status/settings'],
    done: () => toastDone(t.settingsSaved),
  })
  useSaved(form, saved)
  useSavePart(form, {
    labelOf: (name) => labels()[name],
    blocked: useMissing()('status.manage'),
  })
  const { confirmed = 0, unconfirmed = 0 } = subscribers.data ?? {}
  return (
    <>
      <FormSection
        title={t.page}
        description={t.pageText({ address: `${location.origin}${served.statusPage}` })}
      >
        <SwitchField label={t.enabled} description={t.enabledHelp} {...form.field('enabled')} />
        <TextField
          label={t.pageTitle}
          description={t.pageTitleHelp}
          autoComplete="off"
          {...form.field('title')}
        />
        <AreaField label={t.intro} rows={3} {...form.field('intro')} />
        <TextField
          label={t.timeZone}
          description={t.timeZoneHelp}
          autoComplete="off"
          {...form.field('timeZone')}
        />
      </FormSection>
      <FormSection title={t.mail} description={t.mailText({ confirmed, unconfirmed })}>
        <SwitchField
          label={t.subscriptions}
          description={t.subscriptionsHelp}
          {...form.field('subscriptions')}
        />
      </FormSection>
    </>
  )
}
