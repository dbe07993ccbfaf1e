import { useQuery } from '@tanstack/react-query'
import { q } from '../../../query.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import type { FieldProps } from '../../../ui/fields/field-props.ts'
import { t } from './words.ts'

/** Chooses one of the person's own webhooks; somebody else's stays if it is set. */
export function WebhookChoice(props: Pick<FieldProps<string>, 'label' | 'value' | 'onChange'>) {
  const { data } = useQuery(q('GET /api/notification-channels'))
  const own = (data?.items ?? []).filter(({ kind }) => kind === 'webhook')
  const { value } = props
  const foreign = value !== '' && !own.some(({ id }) => id === value)
  return (
    <SelectField
      bare
      {...props}
      placeholder={data && own.length === 0 ? t.noWebhooks : t.choose}
      choices={[
        ...own.map(({ id, name }) => ({ value: id, label: name })),
        ...(foreign && data ? [{ value, label: t.othersWebhook }] : []),
      ]}
    />
  )
}
