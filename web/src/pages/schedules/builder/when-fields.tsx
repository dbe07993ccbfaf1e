import { SelectField } from '../../../ui/choices/select-field.tsx'
import { Tick } from '../../../ui/choices/tick.tsx'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { FieldGrid } from '../../../ui/form/fields.tsx'
import type { FormState } from '../../../ui/form/form.tsx'
import { Labelled } from '../../../ui/form/section.tsx'
import { Row } from '../../../ui/page/layout.tsx'
import {
  REPEATS,
  type Repeats,
  UNIT_MINUTES,
  type Unit,
  type When,
  withCron,
  withFields,
} from '../when.ts'
import { dayName } from '../when-words.ts'
import { t } from '../words.ts'
import { Preview } from './preview.tsx'
import type { Values } from './schedule-values.ts'

/** Weeks begin on Monday; Sunday is `0`. */
const WEEK = ['1', '2', '3', '4', '5', '6', '0']

const repeatChoices = () =>
  REPEATS.map((value) => ({
    value,
    label: {
      interval: t.repeatsInterval,
      hourly: t.repeatsHourly,
      daily: t.repeatsDaily,
      weekly: t.repeatsWeekly,
      monthly: t.repeatsMonthly,
      cron: t.repeatsCron,
    }[value],
  }))

const unitChoices = () =>
  (Object.keys(UNIT_MINUTES) as Unit[]).map((value) => ({
    value,
    label: { minutes: t.minutes, hours: t.hours, days: t.days }[value],
  }))

const zoneChoices = (own: string) => {
  const known = Intl.supportedValuesOf('timeZone')
  const all = known.includes('UTC') ? known : ['UTC', ...known]
  return (all.includes(own) ? all : [own, ...all]).map((value) => ({ value, label: value }))
}

/** When it runs: as fields or as an expression, which are equivalent, with a preview. */
export function WhenFields({ form }: { form: FormState<Values> }) {
  const { when, timezone } = form.values
  const put = (next: When): void => form.set('when', next, 'cron')
  const change = (fields: Partial<When>): void => put(withFields(when, fields))
  return (
    <>
      <FieldGrid>
        <SelectField
          label={t.repeats}
          choices={repeatChoices()}
          value={when.repeats}
          onChange={(repeats) => change({ repeats: repeats as Repeats })}
        />
        <Details when={when} error={form.errors.intervalMinutes} onChange={change} />
      </FieldGrid>
      {when.repeats === 'weekly' ? <Days when={when} onChange={change} /> : null}
      {when.repeats === 'interval' ? null : (
        <FieldGrid>
          <TextField
            label={t.cron}
            description={t.cronHelp}
            mono
            autoComplete="off"
            value={when.cron}
            error={form.errors.cron ?? (when.cron === '' ? t.cronIncomplete : undefined)}
            onChange={(cron) => put(withCron(when, cron))}
          />
          <SelectField
            label={t.timezone}
            description={t.timezoneHelp}
            searchable
            choices={zoneChoices(timezone)}
            {...form.field('timezone')}
          />
        </FieldGrid>
      )}
      <Preview when={when} timezone={timezone} />
    </>
  )
}

interface DetailsProps {
  when: When
  error?: string | undefined
  onChange: (fields: Partial<When>) => void
}

function Details({ when, error, onChange }: DetailsProps) {
  const time = (
    <TextField
      label={t.time}
      type="time"
      width="number"
      value={when.time}
      onChange={(time) => onChange({ time })}
    />
  )
  switch (when.repeats) {
    case 'interval':
      return (
        <>
          <NumberField
            label={t.every}
            value={when.every}
            error={error}
            onChange={(every) => onChange({ every })}
          />
          <SelectField
            label={t.unit}
            width="number"
            choices={unitChoices()}
            value={when.unit}
            onChange={(unit) => onChange({ unit: unit as Unit })}
          />
        </>
      )
    case 'hourly':
      return (
        <NumberField
          label={t.minuteOfHour}
          value={when.minute}
          onChange={(minute) => onChange({ minute })}
        />
      )
    case 'monthly':
      return (
        <>
          <NumberField
            label={t.dayOfMonth}
            description={(when.day ?? 0) > 28 ? t.shortMonths({ day: when.day ?? 0 }) : undefined}
            value={when.day}
            onChange={(day) => onChange({ day })}
          />
          {time}
        </>
      )
    case 'cron':
      return null
    default:
      return time
  }
}

const Days = ({ when, onChange }: DetailsProps) => (
  <Labelled label={t.daysOfWeek}>
    <fieldset aria-label={t.daysOfWeek}>
      <Row gap={16}>
        {WEEK.map((day) => (
          <Tick
            key={day}
            label={dayName(day)}
            checked={when.days.includes(day)}
            onChange={(checked) =>
              onChange({
                days: checked ? [...when.days, day] : when.days.filter((one) => one !== day),
              })
            }
          />
        ))}
      </Row>
    </fieldset>
  </Labelled>
)
