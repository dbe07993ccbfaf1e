import type { RuleCondition } from '@lodge/shared/support/rules/rule.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { TagsField } from '../../../ui/choices/tags-field.tsx'
import { AreaField } from '../../../ui/fields/area-field.tsx'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import type { FieldChoices } from './choices.ts'
import type { ActionDraft } from './rule-draft.ts'
import styles from './rules.module.css'
import { WebhookChoice } from './webhook-choice.tsx'
import { t } from './words.ts'

/** The field whose values an action chooses from. */
const CHOICES_OF: Partial<Record<ActionDraft['type'], RuleCondition['field']>> = {
  ...{ set_status: 'status', set_priority: 'priority', set_category: 'categoryId' },
  ...{ set_group: 'groupId', set_tier: 'tierId', notify_group: 'groupId' },
  notify_agent: 'assigneeId',
}
const ASSIGNS = ['round_robin', 'least_open', 'requester_of_last', 'agent', 'none'] as const
/** Placeholders that the desk fills in. */
const BRACES = '{customer}, {number}, {subject}'

interface ActionDetailProps {
  number: number
  action: ActionDraft
  choicesOf: FieldChoices
  onChange: (value: Partial<ActionDraft>) => void
}

/** The details of an action. */
export function ActionDetail({ number, action, choicesOf, onChange }: ActionDetailProps) {
  const { type, text, many, amount, to } = action
  const label = t.detailAt({ number })
  if (type === 'reply' || type === 'note')
    return (
      <AreaField
        bare
        label={label}
        width="fill"
        rows={4}
        placeholder={type === 'reply' ? t.markdown({ braces: BRACES }) : t.note}
        value={text}
        onChange={(next) => onChange({ text: next })}
      />
    )
  if (type === 'add_tags' || type === 'remove_tags')
    return (
      <TagsField
        bare
        label={label}
        width="fill"
        suggestions={[]}
        most={10}
        placeholder={t.tags}
        value={many}
        onChange={(next) => onChange({ many: next })}
      />
    )
  if (type === 'snooze')
    return (
      <NumberField
        bare
        label={label}
        placeholder={t.minutes}
        value={amount}
        onChange={(next) => onChange({ amount: next })}
      />
    )
  if (type === 'assign')
    return (
      <div className={styles.detail}>
        <SelectField
          bare
          label={label}
          choices={ASSIGNS.map((one) => ({ value: one, label: t.assignTo({ to: one }) }))}
          value={to}
          onChange={(next) => onChange({ to: next })}
        />
        {to === 'agent' ? (
          <SelectField
            bare
            searchable
            label={t.person({ number })}
            placeholder={t.choose}
            choices={choicesOf('assigneeId') ?? []}
            value={text}
            onChange={(next) => onChange({ text: next })}
          />
        ) : null}
      </div>
    )
  if (type === 'send_webhook')
    return (
      <WebhookChoice label={label} value={text} onChange={(next) => onChange({ text: next })} />
    )
  const choices = choicesOf(CHOICES_OF[type] ?? 'status') ?? []
  return (
    <SelectField
      bare
      label={label}
      placeholder={t.choose}
      searchable={choices.length > 8}
      // A rule cannot set new again, and only time closes a ticket.
      choices={choices.filter(
        ({ value }) => type !== 'set_status' || (value !== 'new' && value !== 'closed'),
      )}
      value={text}
      onChange={(next) => onChange({ text: next })}
    />
  )
}
