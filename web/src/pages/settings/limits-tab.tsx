import type { LimitLayer } from '@lodge/shared/limits/keys.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { q } from '../../query.ts'
import { Form } from '../../ui/form/form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { DraftSchema, draftOf, type LimitDraft, layerOf } from '../limits/limit-draft.ts'
import { LimitEditor } from '../limits/limit-editor.tsx'
import { LimitUse } from './limit-use.tsx'
import { useSettingsForm } from './settings-form.ts'
import { LIMIT_DEFAULTS } from './settings-groups.ts'

/** How limits apply, and the defaults for all customers. */
export default function LimitsTab() {
  const settings = useQuery(q('GET /api/limits/settings'))
  const defaults = useQuery(q('GET /api/limits/defaults'))
  return (
    <Column gap={24}>
      <Loaded query={settings} lines={6}>
        {(saved) => <LimitUse key={JSON.stringify(saved)} saved={saved} />}
      </Loaded>
      <Loaded query={defaults} lines={8}>
        {(saved) => <Defaults key={JSON.stringify(saved)} saved={saved} />}
      </Loaded>
    </Column>
  )
}

function Defaults({ saved }: { saved: LimitLayer }) {
  const client = useQueryClient()
  const form = useSettingsForm<LimitDraft, LimitLayer>({
    group: LIMIT_DEFAULTS,
    initial: draftOf(saved),
    schema: DraftSchema,
    submit: (draft) => api('PUT /api/limits/defaults', { body: layerOf(draft) }),
    query: 'GET /api/limits/defaults',
    said: 'Defaults saved',
    done: () => void client.invalidateQueries({ queryKey: ['GET /api/customers/{id}/limits'] }),
  })
  return (
    <Form
      form={form}
      label="Limits of every customer"
      long={form.changed}
      submitText="Save defaults"
      disabledBecause={form.unchanged}
    >
      <Column gap={4}>
        <h2>Limits of every customer</h2>
        <Text muted>
          What holds without a plan and without limits by hand. A plan adds to the totals. What is
          not set is not limited.
        </Text>
      </Column>
      <LimitEditor
        draft={form.values}
        errors={form.errors}
        column="Default"
        disabled={false}
        idOf={(key) => form.field(key).id}
        onChange={form.set}
      />
    </Form>
  )
}
