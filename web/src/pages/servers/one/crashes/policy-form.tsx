import { CrashPolicy } from '@lodge/shared/servers.ts'
import { api } from '../../../../api.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { NumberField } from '../../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../../ui/form/form.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import styles from '../server.module.css'
import { useLacking } from '../use-rights.ts'
import { policySentence } from './crash-words.ts'
import { t } from './words.ts'

const modes = () => [
  { value: 'on-failure', label: t.afterCrash },
  { value: 'always', label: t.afterEveryExit },
  { value: 'never', label: t.never },
]

interface Values {
  mode: string
  maxRestarts: number | undefined
  windowMinutes: number | undefined
  backoff: string
}

const policyOf = ({ backoff, ...rest }: Values): unknown => ({
  ...rest,
  backoffSeconds: backoff
    .split(/[\s,;]+/)
    .filter((part) => part !== '')
    .map(Number),
})

/** The crash policy with its meaning in one sentence, updated while editing. */
export function PolicyForm({ serverId, policy }: { serverId: string; policy: CrashPolicy }) {
  const params = { id: serverId }
  const form = useForm<Values, unknown>({
    initial: {
      mode: policy.mode,
      maxRestarts: policy.maxRestarts,
      windowMinutes: policy.windowMinutes,
      backoff: policy.backoffSeconds.join(', '),
    },
    schema: CrashPolicy,
    toBody: policyOf,
    submit: (values) =>
      api('PUT /api/servers/{id}/crash-policy', {
        params,
        body: CrashPolicy.parse(policyOf(values)),
      }),
    refreshes: ['GET /api/servers/{id}/crash-policy'],
    done: () => {
      toastDone(t.policySaved)
    },
  })
  const lacking = useLacking(serverId)('PUT /api/servers/{id}/crash-policy', 'crash.edit')
  const preview = CrashPolicy.safeParse(policyOf(form.values))
  const waits = Object.entries(form.errors).find(([name]) => name.startsWith('backoffSeconds'))
  return (
    <Form form={form} submitText={t.savePolicy} disabledBecause={lacking}>
      <SelectField label={t.restart} choices={modes()} {...form.field('mode')} />
      {form.values.mode === 'never' ? null : (
        <>
          <NumberField
            label={t.maxRestarts}
            description={t.maxRestartsHelp}
            {...form.field('maxRestarts')}
          />
          <NumberField label={t.windowMinutes} {...form.field('windowMinutes')} />
          <TextField
            label={t.backoff}
            description={t.backoffHelp}
            {...form.field('backoff')}
            error={waits?.[1]}
          />
        </>
      )}
      <p className={styles.sentence} role="status">
        {preview.success ? policySentence(preview.data) : t.policyIncomplete}
      </p>
    </Form>
  )
}
