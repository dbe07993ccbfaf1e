import { UsageConfig } from '@lodge/shared/usage-reports.ts'
import { api } from '../../api.ts'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, nothingChanged, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

const EMPTY: UsageConfig = { repository: '', clientId: '', publicKeyBase64: '' }

/** The repository for the reports, and who can read them. */
export function Place({ config }: { config: UsageConfig | null }) {
  const form = useForm({
    initial: config ?? EMPTY,
    schema: UsageConfig,
    submit: (body) => api('PUT /api/usage/config', { body }),
    refreshes: ['GET /api/usage'],
    done: () => toastDone(t.saved),
  })
  return (
    <Form
      form={form}
      command
      submitText={t.save}
      disabledBecause={form.changed.length === 0 ? nothingChanged() : undefined}
    >
      <Text muted>{t.placeText}</Text>
      <TextField
        label={t.repository}
        description={t.repositoryHelp}
        autoComplete="off"
        {...form.field('repository')}
      />
      <TextField
        label={t.clientId}
        description={t.clientIdHelp}
        autoComplete="off"
        {...form.field('clientId')}
      />
      <TextField
        label={t.publicKey}
        description={t.publicKeyHelp}
        autoComplete="off"
        {...form.field('publicKeyBase64')}
      />
    </Form>
  )
}
