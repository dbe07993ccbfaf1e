import { BusinessHours, WEEKDAYS } from '@lodge/shared/support/hours/business-hours.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { q } from '../../../query.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { rebased } from '../../../ui/form/changes.ts'
import { useForm } from '../../../ui/form/form.tsx'
import { SaveForm } from '../../../ui/form/save-form.tsx'
import { FormSection } from '../../../ui/form/section.tsx'
import { useSavePart } from '../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../ui/form/use-saved.ts'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { type Holiday, Holidays } from './holidays.tsx'
import styles from './hours.module.css'
import { Intervals } from './intervals.tsx'
import { Preview } from './preview.tsx'
import { t } from './words.ts'

/** Weeks begin on Monday. */
const DAYS = [...WEEKDAYS.slice(1), WEEKDAYS[0]]

const zoneChoices = (own: string) =>
  [...new Set(['UTC', own, ...Intl.supportedValuesOf('timeZone')])].map((value) => ({
    value,
    label: value,
  }))

const labels = (): Readonly<Record<keyof BusinessHours, string>> => ({
  timeZone: t.timeZone,
  week: t.week,
  holidays: t.holidays,
})

const byDate = (holidays: readonly Holiday[]): Record<string, Holiday> =>
  Object.fromEntries(holidays.map((holiday) => [holiday.date, holiday]))

/** The newest hours, with the changes made here to single days and holidays. */
function merged(values: BusinessHours, known: BusinessHours, newest: BusinessHours): BusinessHours {
  const mine = byDate(values.holidays)
  const before = byDate(known.holidays)
  const all = Object.values(rebased(mine, before, byDate(newest.holidays)))
  return {
    ...rebased(values, known, newest),
    week: rebased(values.week, known.week, newest.week),
    holidays: all.filter(({ date }) => date in mine || !(date in before)),
  }
}

/** When people answer tickets. */
export default function HoursTab() {
  const hours = useQuery(q('GET /api/support/hours'))
  return (
    <Loaded query={hours} lines={8}>
      {(saved) => (
        <SaveForm label={t.hours} submitText={t.save} long>
          <Fields saved={saved} />
        </SaveForm>
      )}
    </Loaded>
  )
}

function Fields({ saved }: { saved: BusinessHours }) {
  const form = useForm<BusinessHours, unknown>({
    initial: saved,
    schema: BusinessHours,
    submit: async (values, known) => {
      // All of it is sent: what a colleague saved meanwhile goes with it.
      const newest = await api('GET /api/support/hours')
      return api('PUT /api/support/hours', { body: merged(values, known, newest) })
    },
    refreshes: ['GET /api/support/hours'],
    done: () => toastDone(t.saved),
  })
  useSaved(form, saved)
  useSavePart(form, { labelOf: (name) => labels()[name] })
  const { week, holidays, timeZone } = form.values
  const errors = stillTrue(form.errors, form.values)
  return (
    <>
      <FormSection title={t.week} description={t.weekHelp}>
        <SelectField
          label={t.timeZone}
          searchable
          choices={zoneChoices(timeZone)}
          {...form.field('timeZone')}
        />
        <div>
          {DAYS.map((day) => (
            <div key={day} className={styles.day}>
              <p className={styles.name}>{t.day({ day })}</p>
              <Intervals
                day={t.day({ day })}
                pointer={`week/${day}`}
                value={week[day]}
                errors={errors}
                onChange={(next) => form.set('week', { ...week, [day]: next }, `week/${day}`)}
              />
            </div>
          ))}
        </div>
      </FormSection>
      <FormSection title={t.holidays} description={t.holidaysHelp}>
        <Holidays
          value={holidays}
          errors={errors}
          onChange={(next) => form.set('holidays', next)}
        />
      </FormSection>
      <FormSection title={t.preview} description={t.previewHelp}>
        <Preview hours={form.values} />
      </FormSection>
    </>
  )
}

/** An error in one of many hours clears when that one is corrected, not on any change of its day. */
function stillTrue(
  errors: Readonly<Record<string, string>>,
  hours: BusinessHours,
): Readonly<Record<string, string>> {
  const issues = BusinessHours.safeParse(hours).error?.issues ?? []
  const wrong = new Set(issues.map(({ path }) => path.join('/')))
  return Object.fromEntries(Object.entries(errors).filter(([pointer]) => wrong.has(pointer)))
}
