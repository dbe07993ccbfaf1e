import { useQuery } from '@tanstack/react-query'
import { api, type Reply } from '../../api.ts'
import { q } from '../../query.ts'
import { NumberField } from '../../ui/fields/measure-fields.tsx'
import { Form, NOTHING_CHANGED } from '../../ui/form/form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Card } from '../../ui/page/card.tsx'
import { useSettingsForm } from './settings-form.ts'
import { COOLING_OFF } from './settings-groups.ts'

type Saved = Reply<'GET /api/settings/self-service'>

/** How long customers can undo the deletion of a server. */
export function CoolingOff() {
  const settings = useQuery(q('GET /api/settings/self-service'))
  return (
    <Loaded query={settings} lines={3}>
      {(saved) => <Hours key={JSON.stringify(saved)} saved={saved} />}
    </Loaded>
  )
}

function Hours({ saved }: { saved: Saved }) {
  const form = useSettingsForm<{ coolingOffHours: number | undefined }, Saved>({
    group: COOLING_OFF,
    initial: { coolingOffHours: saved.coolingOffHours },
    submit: ({ coolingOffHours }) =>
      api('PUT /api/settings/self-service', {
        body: { ...saved, coolingOffHours: coolingOffHours ?? saved.coolingOffHours },
      }),
    query: 'GET /api/settings/self-service',
    said: 'Cooling-off saved',
  })
  return (
    <Form
      form={form}
      label="Cooling-off"
      submitText="Save cooling-off"
      disabledBecause={form.values.coolingOffHours === undefined ? NOTHING_CHANGED : form.unchanged}
    >
      <Card title={form.cardOf('coolingOffHours')}>
        <NumberField {...form.field('coolingOffHours')} />
      </Card>
    </Form>
  )
}
