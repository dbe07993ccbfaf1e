import { CrashPolicy } from '@lodge/shared/servers.ts'
import { api } from '../../../../api.ts'
import { SelectField } from '../../../../ui/choices/select-field.tsx'
import { NumberField } from '../../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../../ui/fields/text-field.tsx'
import { rebased } from '../../../../ui/form/changes.ts'
import { useForm } from '../../../../ui/form/form.tsx'
import { SaveForm } from '../../../../ui/form/save-form.tsx'
import { useSavePart } from '../../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../../ui/form/use-saved.ts'
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

const valuesOf = (policy: CrashPolicy): Values => ({
  mode: policy.mode,
  maxRestarts: policy.maxRestarts,
  windowMinutes: policy.windowMinutes,
  backoff: policy.backoffSeconds.join(', '),
})

const labelOf = (name: keyof Values): string =>
  ({
    mode: t.restart,
    maxRestarts: t.maxRestarts,
    windowMinutes: t.windowMinutes,
    backoff: t.backoff,
  })[name]

interface PolicyFormProps {
  serverId: string
  policy: CrashPolicy
}

/** The crash policy with its meaning in one sentence, updated while editing. */
export const PolicyForm = (props: PolicyFormProps) => (
  <SaveForm label={t.crashPolicy} submitText={t.savePolicy}>
    <PolicyFields {...props} />
  </SaveForm>
)

function PolicyFields({ serverId, policy }: PolicyFormProps) {
  const params = { id: serverId }
  const initial = valuesOf(policy)
  const form = useForm<Values, unknown>({
    initial,
    schema: CrashPolicy,
    toBody: policyOf,
    submit: async (values, known) => {
      // All of it is sent: what a colleague saved meanwhile goes with it.
      const newest = valuesOf(await api('GET /api/servers/{id}/crash-policy', { params }))
      const body = CrashPolicy.parse(policyOf(rebased(values, known, newest)))
      return api('PUT /api/servers/{id}/crash-policy', { params, body })
    },
    refreshes: ['GET /api/servers/{id}/crash-policy'],
    done: () => {
      toastDone(t.policySaved)
    },
  })
  const lacking = useLacking(serverId)('PUT /api/servers/{id}/crash-policy', 'crash.edit')
  const preview = CrashPolicy.safeParse(policyOf(form.values))
  const waits = Object.entries(form.errors).find(([name]) => name.startsWith('backoffSeconds'))
  useSaved(form, initial)
  useSavePart(form, { labelOf, blocked: lacking })
  return (
    <>
      <SelectField label={labelOf('mode')} choices={modes()} {...form.field('mode')} />
      {form.values.mode === 'never' ? null : (
        <>
          <NumberField
            label={labelOf('maxRestarts')}
            description={t.maxRestartsHelp}
            {...form.field('maxRestarts')}
          />
          <NumberField label={labelOf('windowMinutes')} {...form.field('windowMinutes')} />
          <TextField
            label={labelOf('backoff')}
            description={t.backoffHelp}
            {...form.field('backoff')}
            error={waits?.[1]}
          />
        </>
      )}
      <p className={styles.sentence} role="status">
        {preview.success ? policySentence(preview.data) : t.policyIncomplete}
      </p>
    </>
  )
}
