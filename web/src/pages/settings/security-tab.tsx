import { useQuery } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { Form } from '../../ui/form/form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Text } from '../../ui/page/layout.tsx'
import { useSettingsForm } from './settings-form.ts'
import { SECURITY } from './settings-groups.ts'

type Saved = Reply<'GET /api/settings/security'>

interface Values {
  addresses: string
  auditDays: number | undefined
}

const linesOf = (text: string): string[] =>
  text
    .split(/[\s,;]+/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** The networks administrators may use, and how long audit entries are kept. */
export default function SecurityTab() {
  const settings = useQuery(q('GET /api/settings/security'))
  return (
    <Loaded query={settings} lines={6}>
      {(saved) => <SecuritySettings key={JSON.stringify(saved)} saved={saved} />}
    </Loaded>
  )
}

function SecuritySettings({ saved }: { saved: Saved }) {
  const form = useSettingsForm<Values, Saved>({
    group: SECURITY,
    initial: {
      addresses: saved.administratorAddresses.join('\n'),
      auditDays: saved.auditDays,
    },
    submit: ({ addresses, auditDays }) =>
      api('PUT /api/settings/security', {
        body: {
          ...saved,
          administratorAddresses: linesOf(addresses),
          auditDays: auditDays ?? saved.auditDays,
        },
      }),
    query: 'GET /api/settings/security',
    said: 'Security settings saved',
  })
  const wrong = Object.entries(form.errors)
    .filter(([pointer]) => pointer.startsWith('administratorAddresses'))
    .map(([pointer, detail]) => {
      const line = linesOf(form.values.addresses)[Number(pointer.split('/')[1])]
      return line === undefined ? detail : `${line} ${detail}`
    })
  return (
    <Form form={form} submitText="Save settings" disabledBecause={form.unchanged}>
      <Card title={form.cardOf('addresses')}>
        <AreaField
          rows={5}
          mono
          placeholder="192.0.2.0/24"
          {...form.field('addresses')}
          error={wrong.length > 0 ? wrong.join('; ') : undefined}
        />
      </Card>
      <Card title="Second factor">
        <Text>
          Every administrator signs in with a second factor. Whoever has none yet sets one up before
          anything else; the first administrator within a day.
        </Text>
      </Card>
      <Card title={form.cardOf('auditDays')}>
        <NumberField {...form.field('auditDays')} />
      </Card>
    </Form>
  )
}
