import { EditMe } from '@lodge/shared/accounts.ts'
import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api.ts'
import { languages } from '../../session/language.ts'
import { useChooseDensity, useChooseLanguage, useChooseMode } from '../../session/preferences.ts'
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
import { t } from './words.ts'

/** Stands for null, the browser's own setting. */
const AS_BROWSER = 'browser'

type Clock = 'language' | '24' | '12'

/** The list, plus a value that was set through the API. */
const withOwn = (list: readonly string[], own: string | null) =>
  own === null || list.includes(own) ? list : [own, ...list]

const chosen = (value: string) => (value === AS_BROWSER ? null : value)

const labelOf = (name: 'name' | 'locale' | 'timeZone' | 'clock'): string =>
  ({ name: t.name, locale: t.dateLanguage, timeZone: t.timeZone, clock: t.clock })[name]

/**
 * Name, dates, time zone and clock are saved with the form; language, colours and density
 * immediately.
 */
export const PreferencesForm = () => (
  <SaveForm label={t.preferences} submitText={t.savePreferences}>
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
    locale: me.locale ?? AS_BROWSER,
    timeZone: me.timeZone ?? AS_BROWSER,
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
      toastDone(t.preferencesSaved)
    },
  })
  const asBrowser = { value: AS_BROWSER, label: t.asBrowser }
  const zones = withOwn(Intl.supportedValuesOf('timeZone'), me.timeZone)
  useSavePart(form, { labelOf })
  return (
    <>
      <div className={styles.fields}>
        <TextField
          label={labelOf('name')}
          description={t.nameHelp}
          autoComplete="name"
          {...form.field('name')}
        />
        <SelectField
          label={labelOf('locale')}
          searchable
          choices={[asBrowser, ...languageChoices(me.locale)]}
          {...form.field('locale')}
        />
        <SelectField
          label={labelOf('timeZone')}
          description={t.timeZoneHelp}
          searchable
          choices={[asBrowser, ...zones.map((value) => ({ value, label: value }))]}
          {...form.field('timeZone')}
        />
      </div>
      <Choice label={labelOf('clock')}>
        <Segments
          label={labelOf('clock')}
          value={form.values.clock}
          choices={[
            { value: 'language', label: t.clockOfLanguage },
            { value: '24', label: t.clock24 },
            { value: '12', label: t.clock12 },
          ]}
          onChange={(clock) => form.set('clock', clock)}
        />
      </Choice>
    </>
  )
}

/** Settings that apply as soon as they are chosen. */
function Appearance() {
  const me = useMe()
  const [mode] = useMode()
  const chooseMode = useChooseMode()
  const chooseDensity = useChooseDensity()
  const chooseLanguage = useChooseLanguage()
  return (
    <>
      <Choice label={t.language}>
        <Segments
          label={t.language}
          value={me.preferences.language ?? AS_BROWSER}
          choices={[{ value: AS_BROWSER, label: t.asBrowser }, ...languages]}
          onChange={(value) => chooseLanguage(value === AS_BROWSER ? null : value)}
          description={t.languageHelp}
        />
      </Choice>
      <Choice label={t.colours}>
        <Segments
          label={t.colours}
          value={mode ?? 'system'}
          choices={[
            { value: 'light', label: t.light },
            { value: 'dark', label: t.dark },
            { value: 'system', label: t.asSystem },
          ]}
          onChange={chooseMode}
          description={t.coloursHelp}
        />
      </Choice>
      <Choice label={t.density}>
        <Segments
          label={t.density}
          value={me.preferences.density ?? 'comfortable'}
          choices={[
            { value: 'comfortable', label: t.comfortable },
            { value: 'compact', label: t.compact },
          ]}
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
