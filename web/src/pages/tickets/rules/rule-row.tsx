import type { Rule } from '@lodge/shared/support/rules/rule.ts'
import type { Column } from '../../../ui/data/column.ts'
import { NameButton } from '../../../ui/data/name-button.tsx'
import { Pill } from '../../../ui/data/status.tsx'
import { Ago } from '../../../ui/data/time.tsx'
import { Column as Stack, Text } from '../../../ui/page/layout.tsx'
import { RuleActions } from './rule-actions.tsx'
import { eventWord } from './rule-words.ts'
import { t } from './words.ts'

interface RuleColumns {
  /** How many rules there are. */
  count: number
  onOpen: (rule: Rule) => void
  onRecord: (rule: Rule) => void
}

/** The columns and actions of the list of rules. */
export const ruleColumns = ({ count, onOpen, onRecord }: RuleColumns): readonly Column<Rule>[] => [
  {
    header: t.name,
    role: 'title',
    cell: (rule) => (
      <Stack gap={2}>
        <span>
          {t.placed({ number: rule.position + 1 })}{' '}
          <NameButton name={rule.name} onOpen={() => onOpen(rule)} />
        </span>
        {rule.disabledReason === null ? null : (
          <Text small muted>
            {rule.disabledReason}
          </Text>
        )}
      </Stack>
    ),
  },
  {
    id: 'when',
    header: t.on,
    cell: ({ on, when }) => (
      <Stack gap={2}>
        <span>{eventWord(on)}</span>
        <Text small muted>
          {t.asks({ count: when.all.length + when.any.length })}
        </Text>
      </Stack>
    ),
  },
  {
    id: 'does',
    header: t.does,
    secondary: true,
    cell: ({ actions, stop }) =>
      [
        ...new Set(actions.map(({ type }) => t.actionListed({ type }))),
        ...(stop ? [t.ended] : []),
      ].join(', '),
  },
  {
    id: 'last-ran',
    header: t.lastRan,
    tight: true,
    cell: ({ lastRanAt }) => (lastRanAt === null ? t.never : <Ago at={lastRanAt} />),
  },
  {
    id: 'state',
    header: t.state,
    tight: true,
    cell: ({ enabled, disabledReason }) => (
      <Pill tone={enabled ? 'ok' : disabledReason === null ? 'idle' : 'warn'}>
        {enabled ? t.isOn : t.off}
      </Pill>
    ),
  },
  {
    id: 'actions',
    header: t.actions,
    role: 'acts',
    cell: (rule) => <RuleActions rule={rule} count={count} onRecord={() => onRecord(rule)} />,
  },
]
