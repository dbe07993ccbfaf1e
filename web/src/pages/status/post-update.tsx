import {
  INCIDENT_STATES,
  type IncidentState,
  PostUpdate as Schema,
  type StatusIncident,
} from '@lodge/shared/status.ts'
import { api } from '../../api.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { t } from './words.ts'

const KEEP = 'keep'

/** The states that an update may set now. */
function statesOf({ kind, state, publishedAt }: StatusIncident): readonly IncidentState[] {
  if (kind === 'incident')
    return INCIDENT_STATES.filter((one) => publishedAt !== null || one !== 'resolved')
  if (publishedAt === null) return []
  if (state === 'scheduled') return ['cancelled']
  return state === 'in_progress' ? ['completed', 'cancelled'] : []
}

/** Posts an update. */
export function PostUpdate({ incident }: { incident: StatusIncident }) {
  const { id, state, publishedAt } = incident
  const bodyOf = ({ body, next }: { body: string; next: string }) => {
    const chosen = statesOf(incident).find((one) => one === next)
    return { body, ...(chosen !== undefined && chosen !== state && { state: chosen }) }
  }
  const form = useForm<{ body: string; next: string }, unknown>({
    initial: { body: '', next: KEEP },
    schema: Schema,
    toBody: bodyOf,
    submit: (values) =>
      api('POST /api/status/incidents/{id}/updates', { params: { id }, body: bodyOf(values) }),
    refreshes: [
      'GET /api/status/incidents',
      'GET /api/status/incidents/{id}',
      'GET /api/status/components',
    ],
    done: () => {
      toastDone(t.posted)
      form.discard()
    },
  })
  const states = statesOf(incident).filter((one) => one !== state)
  return (
    <Card title={t.postUpdate}>
      <Form form={form} submitText={t.postUpdate} command>
        <AreaField label={t.updateText} width="fill" rows={4} {...form.field('body')} />
        {states.length === 0 ? null : (
          <SelectField
            label={t.newState}
            choices={[
              { value: KEEP, label: t.asItIs },
              ...states.map((value) => ({ value, label: t.stateOf({ state: value }) })),
            ]}
            {...form.field('next')}
          />
        )}
        <Text small muted>
          {publishedAt === null ? t.notMailed : t.mailed}
        </Text>
      </Form>
    </Card>
  )
}
