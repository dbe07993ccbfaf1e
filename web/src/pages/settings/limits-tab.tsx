import { ALL_LIMIT_KEYS, type LimitLayer } from '@lodge/shared/limits/keys.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useContext } from 'react'
import { api } from '../../api.ts'
import { q } from '../../query.ts'
import { SaveForm } from '../../ui/form/save-form.tsx'
import { Loaded } from '../../ui/notices/loaded.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import { DraftSchema, draftOf, layerOf } from '../limits/limit-draft.ts'
import { LimitEditor } from '../limits/limit-editor.tsx'
import { LimitUse } from './limit-use.tsx'
import { SettingTarget } from './setting-target.ts'
import { useSettingsForm } from './settings-form.ts'
import { LIMIT_DEFAULTS } from './settings-groups.ts'
import { settingId } from './settings-text.ts'
import { t } from './words.ts'

/** How limits apply, and the defaults for all customers. */
export default function LimitsTab() {
  const settings = useQuery(q('GET /api/limits/settings'))
  const defaults = useQuery(q('GET /api/limits/defaults'))
  return (
    <SaveForm label={t.limits} submitText={t.saveSettings}>
      <Loaded query={settings} lines={6}>
        {(saved) => <LimitUse saved={saved} />}
      </Loaded>
      <Loaded query={defaults} lines={8}>
        {(saved) => <Defaults saved={saved} />}
      </Loaded>
    </SaveForm>
  )
}

function Defaults({ saved }: { saved: LimitLayer }) {
  const client = useQueryClient()
  const { wanted } = useContext(SettingTarget)
  const form = useSettingsForm({
    group: LIMIT_DEFAULTS,
    saved,
    valuesOf: draftOf,
    schema: DraftSchema,
    submit: (draft) => api('PUT /api/limits/defaults', { body: layerOf(draft) }),
    query: 'GET /api/limits/defaults',
    said: t.defaultsSaved,
    done: () => void client.invalidateQueries({ queryKey: ['GET /api/customers/{id}/limits'] }),
  })
  return (
    <>
      <Column gap={4}>
        <h2>{t.defaultLimits}</h2>
        <Text muted>{t.defaultLimitsText}</Text>
      </Column>
      <LimitEditor
        draft={form.values}
        saved={draftOf(saved)}
        errors={form.errors}
        column={t.default}
        disabled={false}
        idOf={(key) => form.field(key).id}
        wanted={ALL_LIMIT_KEYS.find((key) => settingId(LIMIT_DEFAULTS, key) === wanted)}
        onChange={(key, value) => form.set(key, value)}
      />
    </>
  )
}
