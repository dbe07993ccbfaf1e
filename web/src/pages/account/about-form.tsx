import { EditMe } from '@lodge/shared/accounts.ts'
import { useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { meQuery, useMe } from '../../session/session.ts'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'

/** Stands for null, the browser's own setting. */
const AS_BROWSER = { value: 'browser', label: 'As the browser' }
const LOCALES = [
  'cs-CZ',
  'da-DK',
  'de-AT',
  'de-CH',
  'de-DE',
  'en-AU',
  'en-CA',
  'en-GB',
  'en-US',
  'es-ES',
  'fi-FI',
  'fr-CH',
  'fr-FR',
  'it-IT',
  'ja-JP',
  'ko-KR',
  'nb-NO',
  'nl-NL',
  'pl-PL',
  'pt-BR',
  'pt-PT',
  'sv-SE',
  'tr-TR',
  'uk-UA',
  'zh-CN',
]
const names = new Intl.DisplayNames('en', { type: 'language' })
const nameOf = (locale: string) => ({ value: locale, label: names.of(locale) ?? locale })

/** The list, plus a value that was set through the API. */
const choicesWith = (list: readonly string[], own: string | null) =>
  own === null || list.includes(own) ? list : [own, ...list]

const chosen = (value: string) => (value === AS_BROWSER.value ? null : value)

/** Name, language and time zone of the signed-in person. */
export function AboutForm() {
  const me = useMe()
  const client = useQueryClient()
  const form = useForm({
    initial: {
      name: me.name ?? '',
      locale: me.locale ?? AS_BROWSER.value,
      timeZone: me.timeZone ?? AS_BROWSER.value,
    },
    submit: ({ name, locale, timeZone }) =>
      api('PATCH /api/auth/me', {
        body: EditMe.parse({
          name: name.trim() === '' ? null : name,
          locale: chosen(locale),
          timeZone: chosen(timeZone),
        }),
      }),
    done: (answer) => {
      client.setQueryData(meQuery.queryKey, answer)
      toastDone('Saved')
    },
  })
  const zones = choicesWith(Intl.supportedValuesOf('timeZone'), me.timeZone)
  return (
    <Form form={form} submitText="Save" label="About you">
      <TextField label="Name" autoComplete="name" {...form.field('name')} />
      <SelectField
        label="Language of dates"
        searchable
        choices={[AS_BROWSER, ...choicesWith(LOCALES, me.locale).map(nameOf)]}
        {...form.field('locale')}
      />
      <SelectField
        label="Time zone"
        description="Times in mail use it too; without a choice they are in UTC"
        searchable
        choices={[AS_BROWSER, ...zones.map((value) => ({ value, label: value }))]}
        {...form.field('timeZone')}
      />
    </Form>
  )
}
