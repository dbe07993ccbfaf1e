import { IMPACTS, type Impact, type StatusIncident } from '@lodge/shared/status.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { q } from '../../query.ts'
import { ManyField } from '../../ui/choices/many-field.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { SwitchField } from '../../ui/choices/switch-field.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { instantOf, localOf } from './times.ts'
import { t } from './words.ts'

const HOUR_MS = 3_600_000

interface Values {
  title: string
  componentIds: readonly string[]
  announced: boolean
  impact: Impact
  startsAt: string
  endsAt: string
  body: string
  publish: boolean
}

interface IncidentDialogProps {
  kind: StatusIncident['kind']
  /** Undefined for a new one. */
  incident?: StatusIncident
  onClose: () => void
}

function initialOf(incident: StatusIncident | undefined): Values {
  const inHours = (hours: number) => new Date(Date.now() + hours * HOUR_MS)
  return {
    title: incident?.title ?? '',
    componentIds: incident?.componentIds ?? [],
    announced: incident?.announced ?? false,
    impact: incident?.impact ?? 'partial',
    startsAt: localOf(incident ? new Date(incident.startsAt) : inHours(24)),
    endsAt: localOf(incident?.endsAt ? new Date(incident.endsAt) : inHours(25)),
    body: '',
    publish: false,
  }
}

/** Only changed times are sent: unchanged ones keep their seconds. */
const changedTimes = (values: Values, initial: Values) => ({
  ...(values.startsAt !== initial.startsAt && { startsAt: instantOf(values.startsAt) }),
  ...(values.endsAt !== initial.endsAt && { endsAt: instantOf(values.endsAt) }),
})

async function send(
  { kind, incident }: Pick<IncidentDialogProps, 'kind' | 'incident'>,
  values: Values,
  initial: Values,
): Promise<unknown> {
  const { title, announced, impact, startsAt, endsAt, body, publish } = values
  const shared = { title, announced, componentIds: [...values.componentIds] }
  if (incident)
    return api('PATCH /api/status/incidents/{id}', {
      params: { id: incident.id },
      body: { ...shared, ...(kind === 'incident' ? { impact } : changedTimes(values, initial)) },
    })
  const made = { ...shared, body, publish }
  return api('POST /api/status/incidents', {
    body:
      kind === 'incident'
        ? { kind, impact, ...made }
        : { kind, startsAt: instantOf(startsAt), endsAt: instantOf(endsAt), ...made },
  })
}

/** Creates an incident or maintenance, or changes its fields. */
export function IncidentDialog({ kind, incident, onClose }: IncidentDialogProps) {
  const components = useQuery(q('GET /api/status/components'))
  const initial = initialOf(incident)
  const form = useForm<Values, unknown>({
    initial,
    submit: (values) => send({ kind, ...(incident && { incident }) }, values, initial),
    refreshes: [
      'GET /api/status/incidents',
      'GET /api/status/incidents/{id}',
      'GET /api/status/components',
    ],
    done: () => {
      toastDone(t.saved)
      onClose()
    },
  })
  const isWork = kind === 'maintenance'
  const title = incident
    ? t.editTitle({ title: incident.title })
    : isWork
      ? t.planMaintenance
      : t.newIncident
  const submitText = incident ? t.saveChanges : isWork ? t.saveMaintenance : t.saveIncident
  return (
    <Dialog title={title} opened onClose={onClose}>
      <Form form={form} submitText={submitText} command>
        <TextField
          label={t.titleField}
          description={t.titleHelp}
          width="fill"
          autoComplete="off"
          autoFocus
          {...form.field('title')}
        />
        {isWork ? (
          <>
            <TextField label={t.startsAt} type="datetime-local" {...form.field('startsAt')} />
            <TextField label={t.endsAt} type="datetime-local" {...form.field('endsAt')} />
          </>
        ) : (
          <SelectField
            label={t.impact}
            choices={IMPACTS.map((value) => ({ value, label: t.impactOf({ impact: value }) }))}
            {...form.field('impact')}
          />
        )}
        <ManyField
          label={t.affected}
          description={isWork ? t.affectedByWork : t.affectedHelp}
          width="fill"
          choices={(components.data?.items ?? []).map(({ id, name }) => ({
            value: id,
            label: name,
          }))}
          {...form.field('componentIds')}
        />
        {incident ? null : (
          <AreaField
            label={t.first}
            description={t.bodyHelp}
            width="fill"
            rows={4}
            {...form.field('body')}
          />
        )}
        <SwitchField
          label={t.announced}
          description={t.announcedHelp}
          {...form.field('announced')}
        />
        {incident ? null : (
          <SwitchField
            label={t.publishNow}
            description={t.publishNowHelp}
            {...form.field('publish')}
          />
        )}
      </Form>
    </Dialog>
  )
}
