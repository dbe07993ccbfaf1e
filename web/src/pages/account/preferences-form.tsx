import { EditMe } from '@lodge/shared/accounts.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { useChooseDensity, useChooseMode } from '../../session/preferences.ts'
import { meQuery, useMe } from '../../session/session.ts'
import { useMode } from '../../theme/theme-provider.tsx'
import { Segments } from '../../ui/choices/segments.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { useForm } from '../../ui/form/form.tsx'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { useSavePart } from '../../ui/form/use-save-part.ts'
import { toastDone } from '../../ui/notices/toast.tsx'
import { Column } from '../../ui/page/layout.tsx'
import styles from './account.module.css'
import { languageChoices } from './languages.ts'

/** Stands for null, the browser's own setting. */
const AS_BROWSER = { value: 'browser', label: 'Same as browser' }

const MODES = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'system', label: 'Same as system' },
] as const

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact' },
] as const

const CLOCKS = [
  { value: 'language', label: 'Same as language' },
  { value: '24', label: '24 hours' },
  { value: '12', label: '12 hours' },
] as const
type Clock = (typeof CLOCKS)[number]['value']

/** The list, plus a value that was set through the API. */
const withOwn = (list: readonly string[], own: string | null) =>
  own === null || list.includes(own) ? list : [own, ...list]

const chosen = (value: string) => (value === AS_BROWSER.value ? null : value)

const LABELS = {
  name: 'Name',
  locale: 'Language of dates',
  timeZone: 'Time zone',
  clock: 'Clock',
} as const

/** Name, language, time zone and clock, to save; colours and density, at once. */
export const PreferencesForm = () => (
  <SaveForm label="Preferences" submitText="Save preferences">
    <Column>
      <Preferences />
      <Appearance />
    </Column>
  </SaveForm>
)

function Preferences() {
  const me = useMe()
  const client = useQueryClient()
  const kept = {
    name: me.name ?? '',
    locale: me.locale ?? AS_BROWSER.value,
    timeZone: me.timeZone ?? AS_BROWSER.value,
    clock: (me.preferences.clock ?? 'language') as Clock,
  }
  const form = useForm({
    initial: kept,
    submit: async ({ name, locale, timeZone, clock }) => {
      const edited = await api('PATCH /api/auth/me', {
        body: EditMe.parse({
          name: name.trim() === '' ? null : name,
          locale: chosen(locale),
          timeZone: chosen(timeZone),
        }),
      })
      if (clock === kept.clock) return edited
      return api('PUT /api/auth/preferences', {
        body: { mode: me.preferences.mode, clock: clock === 'language' ? null : clock },
      })
    },
    done: (answer) => {
      client.setQueryData(meQuery.queryKey, answer)
      toastDone('Preferences saved')
    },
  })
  const zones = withOwn(Intl.supportedValuesOf('timeZone'), me.timeZone)
  useSavePart(form, { labelOf: (name) => LABELS[name] })
  return (
    <>
      <div className={styles.fields}>
        <TextField
          label={LABELS.name}
          description="What others see instead of your address"
          autoComplete="name"
          {...form.field('name')}
        />
        <SelectField
          label={LABELS.locale}
          searchable
          choices={[AS_BROWSER, ...languageChoices(me.locale)]}
          {...form.field('locale')}
        />
        <SelectField
          label={LABELS.timeZone}
          description="In mails too; without a choice they are in UTC"
          searchable
          choices={[AS_BROWSER, ...zones.map((value) => ({ value, label: value }))]}
          {...form.field('timeZone')}
        />
      </div>
      <Choice label={LABELS.clock}>
        <Segments
          label={LABELS.clock}
          value={form.values.clock}
          choices={CLOCKS}
          onChange={(clock) => form.set('clock', clock)}
        />
      </Choice>
    </>
  )
}

/** What changes as soon as it is chosen. */
function Appearance() {
  const me = useMe()
  const [mode] = useMode()
  const chooseMode = useChooseMode()
  const chooseDensity = useChooseDensity()
  return (
    <>
      <Choice label="Colours">
        <Segments
          label="Colours"
          value={mode ?? 'system'}
          choices={MODES}
          onChange={chooseMode}
          description="Colours and density change at once."
        />
      </Choice>
      <Choice label="Density">
        <Segments
          label="Density"
          value={me.preferences.density ?? 'comfortable'}
          choices={DENSITIES}
          onChange={chooseDensity}
        />
      </Choice>
    </>
  )
}

const Choice = ({ label, children }: { label: string; children: ReactNode }) => (
  <div className={styles.choice}>
    <span aria-hidden>{label}</span>
    <div>{children}</div>
  </div>
)
