import { api, type Reply } from '../../../../api.ts'
import { FieldGrid } from '../../../../ui/form/fields.tsx'
import { useForm } from '../../../../ui/form/form.tsx'
import { useSavePart } from '../../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../../ui/form/use-saved.ts'
import { VariableField } from '../../../../ui/form/variable-field.tsx'
import { toastDone } from '../../../../ui/notices/toast.tsx'
import { useLacking } from '../use-rights.ts'
import { t } from './words.ts'

type Variable = Reply<'GET /api/servers/{id}/startup'>['variables'][number]

const changed = (
  variables: readonly Variable[],
  values: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(
    variables.flatMap(({ env, editable, value }) => {
      const next = values[env]
      return editable && next !== undefined && next !== value ? [[env, next]] : []
    }),
  )

function descriptionOf({ editable, description, env }: Variable): string {
  if (editable) return description || env
  return description ? t.describedAndSetByHost({ description }) : t.setByHost
}

interface VariableFieldsProps {
  serverId: string
  variables: readonly Variable[]
}

/** The variables of a server, each with the control that fits its rules; sends only changed ones. */
export function VariableFields({ serverId, variables }: VariableFieldsProps) {
  const params = { id: serverId }
  const saved = Object.fromEntries(variables.map(({ env, value }) => [env, value]))
  const form = useForm<Record<string, string>, unknown>({
    initial: saved,
    submit: (values) =>
      api('PATCH /api/servers/{id}/settings', {
        params,
        body: { variables: changed(variables, values) },
      }),
    refreshes: ['GET /api/servers/{id}/startup', 'GET /api/servers/{id}'],
    done: () => {
      toastDone(t.variablesSaved, t.variablesSavedText)
    },
  })
  const lacking = useLacking(serverId)('PATCH /api/servers/{id}/settings', 'startup.edit')
  useSaved(form, saved)
  useSavePart(form, {
    labelOf: (env) => variables.find((variable) => variable.env === env)?.name ?? env,
    blocked: lacking,
  })
  return (
    <FieldGrid least={240}>
      {variables.map((variable) => (
        <VariableField
          key={variable.env}
          label={variable.name}
          description={descriptionOf(variable)}
          input={variable.input}
          disabled={!variable.editable || lacking !== undefined}
          value={form.values[variable.env] ?? ''}
          error={form.errors[`variables/${variable.env}`] ?? form.errors[variable.env]}
          onChange={(value) => form.set(variable.env, value)}
        />
      ))}
    </FieldGrid>
  )
}
