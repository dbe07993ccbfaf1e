import { useQueryClient } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { Copyable } from '../../ui/data/copy.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { FormSection } from '../../ui/form/section.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { useSaved } from '../../ui/form/use-saved.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Row, Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

type Saved = Reply<'GET /api/support/abuse/settings'>

/** Whether people without an account can report abuse. */
export function AbuseSettings({ saved }: { saved: Saved }) {
  const client = useQueryClient()
  const initial = { enabled: saved.enabled }
  const form = useForm<typeof initial, Saved>({
    initial,
    submit: ({ enabled }) =>
      api('PUT /api/support/abuse/settings', { body: { ...saved, enabled } }),
    done: (next) => {
      client.setQueryData(['GET /api/support/abuse/settings'], next)
      toastDone(t.saved)
    },
  })
  useSaved(form, initial)
  useSavePart(form, { labelOf: () => t.abuseEnabled })
  return (
    <FormSection title={t.abuse} description={t.abuseText}>
      <SwitchField label={t.abuseEnabled} {...form.field('enabled')} />
      {saved.enabled ? (
        <Row gap={6}>
          <Text muted>{t.formAddress}</Text>
          <Copyable value={`${location.origin}${paths.reportAbuse}`} label={t.copyForm} />
        </Row>
      ) : null}
    </FormSection>
  )
}
