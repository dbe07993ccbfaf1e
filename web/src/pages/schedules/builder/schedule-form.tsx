import {
  ChangeSchedule,
  SCHEDULE_MISSED,
  type Schedule,
  type ScheduleOptions,
} from '@lodge/shared/schedules.ts'
import { api } from '../../../api.ts'
import { Choices } from '../../../ui/choices/choices.tsx'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { ShowCommand } from '../../../ui/dialogs/show-command.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { isSame } from '../../../ui/form/changes.ts'
import { useForm } from '../../../ui/form/form.tsx'
import { SaveForm } from '../../../ui/form/save-form.tsx'
import { FormSection } from '../../../ui/form/section.tsx'
import { useSavePart } from '../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../ui/form/use-saved.ts'
import { SCHEDULE_LISTS } from '../lists.ts'
import styles from '../schedules.module.css'
import { useWhyNot } from '../use-schedules.ts'
import { t } from '../words.ts'
import { bodyOf, Checked, labelOf, type Values, valuesOf } from './schedule-values.ts'
import { TasksEditor } from './tasks-editor.tsx'
import { useBase } from './use-base.ts'
import { WhenFields } from './when-fields.tsx'

interface ScheduleFormProps {
  serverId: string
  /** The schedule to change; absent for a new one. */
  schedule?: Schedule
  initial: Values
  options: ScheduleOptions
  onDone: (saved: Schedule) => void
}

/** All fields of one schedule. */
export const ScheduleForm = (props: ScheduleFormProps) => (
  <SaveForm
    label={props.schedule ? t.editSchedule : t.newSchedule}
    submitText={props.schedule ? t.saveSchedule : t.createSchedule}
    long
    dependsOn={props.schedule ? undefined : 'preset'}
  >
    <Fields {...props} />
  </SaveForm>
)

const missedChoices = () =>
  SCHEDULE_MISSED.map((value) => ({
    value,
    label: { skip: t.missedSkip, once: t.missedOnce, all: t.missedAll }[value],
    description: { skip: t.missedSkipText, once: t.missedOnceText, all: t.missedAllText }[value],
  }))

/** Only the differences, so that unchanged tasks keep the rights of their author. */
function changeOf(values: Values, before: Values, revision: number) {
  const whole = ChangeSchedule.parse({ ...(bodyOf(values) as object), revision })
  const { cron, intervalMinutes, ...rest } = whole
  const timing = isSame(values.when, before.when) ? {} : { cron, intervalMinutes }
  const kept = Object.entries(rest).filter(
    ([name]) =>
      name === 'revision' || !isSame(values[name as keyof Values], before[name as keyof Values]),
  )
  return { ...timing, ...Object.fromEntries(kept) } satisfies ChangeSchedule
}

function Fields({ serverId, schedule, initial, options, onDone }: ScheduleFormProps) {
  const whyNot = useWhyNot(serverId)
  const form = useForm<Values, Schedule>({
    initial,
    schema: Checked,
    toBody: bodyOf,
    submit: (values) =>
      schedule
        ? api('PATCH /api/servers/{id}/schedules/{scheduleId}', {
            params: { id: serverId, scheduleId: schedule.id },
            body: changeOf(values, initial, base.current.revision),
          })
        : api('POST /api/servers/{id}/schedules', {
            params: { id: serverId },
            body: Checked.parse(bodyOf(values)),
          }),
    refreshes: SCHEDULE_LISTS,
    done: (saved) => {
      base.current = { revision: saved.revision, values: valuesOf(saved) }
      onDone(saved)
    },
  })
  const base = useBase(form.changed, { revision: schedule?.revision ?? 0, values: initial })
  const blocked = schedule ? whyNot.change : whyNot.create
  useSaved(form, initial)
  useSavePart(form, {
    labelOf,
    isNew: schedule === undefined,
    blocked: blocked ?? (form.values.tasks.length === 0 ? t.addTaskFirst : undefined),
  })
  return (
    <fieldset className={styles.all} disabled={blocked !== undefined}>
      <FormSection title={t.schedule} description={blocked ?? t.scheduleHelp}>
        <TextField
          label={labelOf('name')}
          width="name"
          autoComplete="off"
          {...form.field('name')}
        />
        <SwitchField
          label={labelOf('enabled')}
          description={t.enabledHelp}
          {...form.field('enabled')}
        />
      </FormSection>
      <FormSection title={labelOf('when')} description={t.whenHelp}>
        <WhenFields form={form} />
      </FormSection>
      <FormSection title={labelOf('tasks')} description={t.tasksHelp}>
        <TasksEditor form={form} options={options} />
      </FormSection>
      <FormSection title={labelOf('missed')} description={t.missedHelp}>
        <Choices
          label={labelOf('missed')}
          choices={missedChoices()}
          value={form.values.missed}
          onChange={(missed) => form.set('missed', missed)}
        />
      </FormSection>
      <ShowCommand call={form.ask} />
    </fieldset>
  )
}
