import type { Group } from '@lodge/shared/support/desk.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { paths } from '../../paths.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
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

const NONE = 'none'

interface AbuseSettingsProps {
  saved: Saved
  groups: readonly Group[]
}

/** Whether people without an account can report abuse, and who gets the reports. */
export function AbuseSettings({ saved, groups }: AbuseSettingsProps) {
  const client = useQueryClient()
  const initial = { enabled: saved.enabled, groupId: saved.groupId ?? NONE }
  const form = useForm<typeof initial, Saved>({
    initial,
    submit: ({ enabled, groupId }) =>
      api('PUT /api/support/abuse/settings', {
        body: { enabled, groupId: groupId === NONE ? null : groupId },
      }),
    done: (next) => {
      client.setQueryData(['GET /api/support/abuse/settings'], next)
      toastDone(t.saved)
    },
  })
  useSaved(form, initial)
  useSavePart(form, { labelOf: (name) => (name === 'groupId' ? t.abuseGroup : t.abuseEnabled) })
  return (
    <FormSection title={t.abuse} description={t.abuseText}>
      <SwitchField label={t.abuseEnabled} {...form.field('enabled')} />
      <SelectField
        label={t.abuseGroup}
        choices={[
          { value: NONE, label: t.noAbuseGroup },
          ...groups
            .filter(({ id, active }) => active || id === saved.groupId)
            .map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...form.field('groupId')}
      />
      {saved.enabled ? (
        <Row gap={6}>
          <Text muted>{t.formAddress}</Text>
          <Copyable value={`${location.origin}${paths.reportAbuse}`} label={t.copyForm} />
        </Row>
      ) : null}
    </FormSection>
  )
}
