import { DeskSettings } from '@lodge/shared/support/desk.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../../api.ts'
import { q } from '../../../query.ts'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useForm } from '../../../ui/form/form.tsx'
import { SaveForm } from '../../../ui/form/save-form.tsx'
import { FormSection } from '../../../ui/form/section.tsx'
import { useSavePart } from '../../../ui/form/use-save-part.ts'
import { useSaved } from '../../../ui/form/use-saved.ts'
import { readDecimal, typedDecimal } from '../../../ui/locale/decimals.ts'
import { Loaded } from '../../../ui/notices/loaded.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { t } from './words.ts'

const DAY_MINUTES = 1440
/** Stored in minutes, edited in days; empty is never. */
const PERIODS = ['remindAfterMinutes', 'autoSolveMinutes', 'autoCloseMinutes'] as const

interface Values extends Record<(typeof PERIODS)[number], string> {
  enabled: boolean
  askRating: boolean
  passUnscanned: boolean
  reopenDays: string
}

const labels = (): Readonly<Record<keyof Values, string>> => ({
  enabled: t.enabled,
  askRating: t.askRating,
  reopenDays: t.reopenDays,
  remindAfterMinutes: t.remindAfter,
  autoSolveMinutes: t.autoSolve,
  autoCloseMinutes: t.autoClose,
  passUnscanned: t.passUnscanned,
})

const daysOf = (minutes: number | null): string =>
  minutes === null ? '' : typedDecimal(Math.round((minutes / DAY_MINUTES) * 100) / 100)
const minutesOf = (days: string): number | null =>
  days.trim() === '' ? null : Math.round(readDecimal(days) * DAY_MINUTES)

/** Automatic actions of the desk. */
export default function GeneralTab() {
  const settings = useQuery(q('GET /api/support/settings'))
  return (
    <Loaded query={settings} lines={6}>
      {({ settings: saved }) => (
        <SaveForm label={t.title} submitText={t.save}>
          <Fields saved={saved} />
        </SaveForm>
      )}
    </Loaded>
  )
}

function Fields({ saved }: { saved: DeskSettings }) {
  const { enabled, askRating, passUnscanned, reopenDays } = saved
  const initial: Values = {
    enabled,
    askRating,
    passUnscanned,
    reopenDays: String(reopenDays),
    remindAfterMinutes: daysOf(saved.remindAfterMinutes),
    autoSolveMinutes: daysOf(saved.autoSolveMinutes),
    autoCloseMinutes: daysOf(saved.autoCloseMinutes),
  }
  const bodyOf = (values: Values): DeskSettings => ({
    enabled: values.enabled,
    askRating: values.askRating,
    passUnscanned: values.passUnscanned,
    reopenDays: Number(values.reopenDays),
    remindAfterMinutes: minutesOf(values.remindAfterMinutes),
    autoSolveMinutes: minutesOf(values.autoSolveMinutes),
    autoCloseMinutes: minutesOf(values.autoCloseMinutes),
  })
  const form = useForm<Values, unknown>({
    initial,
    schema: DeskSettings,
    toBody: bodyOf,
    submit: (values) => api('PUT /api/support/settings', { body: bodyOf(values) }),
    refreshes: ['GET /api/support/settings', 'GET /api/support/config'],
    done: () => toastDone(t.saved),
  })
  useSaved(form, initial)
  useSavePart(form, { labelOf: (name) => labels()[name] })
  return (
    <>
      <FormSection title={t.taking} description={t.takingHelp}>
        <SwitchField label={t.enabled} {...form.field('enabled')} />
        <SwitchField label={t.askRating} {...form.field('askRating')} />
      </FormSection>
      <FormSection title={t.ending} description={t.endingHelp}>
        {(['reopenDays', ...PERIODS] as const).map((name) => (
          <TextField
            key={name}
            label={labels()[name]}
            width="number"
            meaning={form.values[name] === '' ? t.never : t.days}
            autoComplete="off"
            {...form.field(name)}
          />
        ))}
      </FormSection>
      <FormSection title={t.files} description={t.filesHelp}>
        <SwitchField label={t.passUnscanned} {...form.field('passUnscanned')} />
      </FormSection>
    </>
  )
}
