import { ARCHIVE_FORMATS } from '@lodge/shared/files.ts'
import { POWER_TASKS } from '@lodge/shared/schedules.ts'
import { Segments } from '../../../ui/choices/segments.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { FieldGrid } from '../../../ui/form/fields.tsx'
import { pathsOf, type TaskDraft, WAIT_SECONDS, type WaitUnit } from '../task-draft.ts'
import { powerName } from '../task-words.ts'
import { t } from '../words.ts'

export interface TaskPartProps {
  task: TaskDraft
  errorAt: (field: string) => string | undefined
  /** Receives the changed fields, and their JSON pointer in the API's task. */
  onChange: (fields: Partial<TaskDraft>, pointer: string) => void
}

const powerChoices = () =>
  POWER_TASKS.map((value) => ({
    value,
    label: powerName(value),
  }))

const unitChoices = () =>
  (Object.keys(WAIT_SECONDS) as WaitUnit[]).map((value) => ({
    value,
    label: { seconds: t.seconds, minutes: t.minutes, hours: t.hours }[value],
  }))

/** The fields of a task, by its action. */
export function TaskFields({ task, errorAt, onChange }: TaskPartProps) {
  const pathError = pathsOf(task.paths)
    .map((_path, at) => errorAt(`paths/${at}`))
    .find((error) => error !== undefined)
  const paths = (
    <AreaField
      label={t.paths}
      description={t.pathsHelp}
      mono
      rows={3}
      value={task.paths}
      error={errorAt('paths') ?? pathError}
      onChange={(paths) => onChange({ paths }, 'paths')}
    />
  )
  const keep = (
    <NumberField
      label={t.keep}
      description={task.action === 'archiveFiles' ? t.keepArchivesHelp : t.keepHelp}
      value={task.keep}
      error={errorAt('keep')}
      onChange={(keep) => onChange({ keep }, 'keep')}
    />
  )
  switch (task.action) {
    case 'power':
      return (
        <div>
          <Segments
            label={t.power}
            choices={powerChoices()}
            value={task.power}
            description={
              { start: t.startHelp, stop: t.stopHelp, restart: t.restartHelp, kill: t.killHelp }[
                task.power
              ]
            }
            onChange={(power) => onChange({ power }, 'power')}
          />
        </div>
      )
    case 'command':
      return (
        <TextField
          label={t.line}
          description={t.lineHelp}
          width="sentence"
          mono
          autoComplete="off"
          value={task.command}
          error={errorAt('command')}
          onChange={(command) => onChange({ command }, 'command')}
        />
      )
    case 'wait':
      return (
        <FieldGrid least={140}>
          <NumberField
            label={t.waitFor}
            value={task.amount}
            error={errorAt('seconds')}
            onChange={(amount) => onChange({ amount }, 'seconds')}
          />
          <SelectField
            label={t.unit}
            width="number"
            choices={unitChoices()}
            value={task.unit}
            onChange={(unit) => onChange({ unit: unit as WaitUnit }, 'seconds')}
          />
        </FieldGrid>
      )
    case 'notify':
      return (
        <TextField
          label={t.message}
          description={t.messageHelp}
          width="sentence"
          autoComplete="off"
          value={task.message}
          error={errorAt('message')}
          onChange={(message) => onChange({ message }, 'message')}
        />
      )
    case 'snapshot':
    case 'backup':
      return (
        <FieldGrid>
          <TextField
            label={t.copyName}
            description={task.action === 'snapshot' ? t.copyNameHelp : undefined}
            autoComplete="off"
            value={task.name}
            error={errorAt('name')}
            onChange={(name) => onChange({ name }, 'name')}
          />
          {keep}
        </FieldGrid>
      )
    case 'deleteFiles':
      return paths
    case 'archiveFiles':
      return (
        <>
          {paths}
          <FieldGrid>
            <TextField
              label={t.archiveTo}
              description={t.archiveToHelp}
              mono
              autoComplete="off"
              value={task.to}
              error={errorAt('to')}
              onChange={(to) => onChange({ to }, 'to')}
            />
            <SelectField
              label={t.format}
              width="number"
              choices={ARCHIVE_FORMATS.map((value) => ({ value, label: value }))}
              value={task.format}
              onChange={(format) => onChange({ format: format as TaskDraft['format'] }, 'format')}
            />
            {keep}
          </FieldGrid>
        </>
      )
  }
}
