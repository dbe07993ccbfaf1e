import {
  SERVER_PLAN_KEYS,
  type ServerPlanKey,
  valueInPlan,
} from '@lodge/shared/limits/of-plan-server.ts'
import type { Column as TableColumn } from '../../ui/data/table.tsx'
import { Column, Text } from '../../ui/page/layout.tsx'
import type { LimitDraft } from '../limits/limit-draft.ts'
import { LimitFold } from '../limits/limit-fold.tsx'
import { LimitInput } from '../limits/limit-input.tsx'
import { limitName, valueWords } from '../limits/limit-words.ts'
import { t } from './words.ts'

interface ServerLimitsProps {
  draft: LimitDraft
  saved: LimitDraft
  errors: Readonly<Record<string, string>>
  disabled: boolean
  onChange: (key: ServerPlanKey, value: string) => void
}

/** What the server of a plan may have besides its size. */
export function ServerLimits({ draft, saved, errors, disabled, onChange }: ServerLimitsProps) {
  const columns: readonly TableColumn<ServerPlanKey>[] = [
    { header: t.limit, role: 'title', cell: limitName },
    {
      header: t.inThisPlan,
      cell: (key) => (
        <LimitInput
          id={undefined}
          limitKey={key}
          value={draft[key]}
          inherited={valueWords(key, valueInPlan({}, key))}
          error={errors[key]}
          disabled={disabled}
          onChange={(value) => onChange(key, value)}
        />
      ),
    },
  ]
  return (
    <>
      <Column gap={4}>
        <h2>{t.serverLimits}</h2>
        <Text muted>{t.serverLimitsHelp}</Text>
      </Column>
      <LimitFold
        title={t.serverLimitsOfIt}
        keys={SERVER_PLAN_KEYS}
        draft={draft}
        saved={saved}
        errors={errors}
        columns={columns}
        isOpen
        wanted={undefined}
      />
    </>
  )
}
