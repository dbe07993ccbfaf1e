import { type Rule, WriteRule } from '@lodge/shared/support/rules/rule.ts'
import { api } from '../../../api.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { Tick } from '../../../ui/choices/tick.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { ActionRows } from './action-rows.tsx'
import { useFieldChoices } from './choices.ts'
import { ConditionRows } from './condition-rows.tsx'
import { bodyOf, doesSomething, isWhole, type RuleDraft, ruleDraft } from './rule-draft.ts'
import { eventChoices } from './rule-words.ts'
import { TryRule } from './try-rule.tsx'
import { t } from './words.ts'

/** Why a rule cannot be saved yet. */
function missingOf({ name, on, idleHours, all, any, actions }: RuleDraft): string | undefined {
  if (name.trim() === '') return t.nameMissing
  if (on === 'idle' && !(idleHours !== undefined && idleHours > 0)) return t.idleMissing
  if (![...all, ...any].every(isWhole)) return t.conditionMissing
  if (actions.length === 0 || !actions.every(doesSomething)) return t.actionMissing
  return undefined
}

interface RuleDialogProps {
  /** Undefined for a new one. */
  rule: Rule | undefined
  onClose: () => void
}

/** Edits a rule, and tries it on a ticket. */
export function RuleDialog({ rule, onClose }: RuleDialogProps) {
  const choicesOf = useFieldChoices()
  const form = useForm<RuleDraft, unknown>({
    initial: ruleDraft(rule),
    schema: WriteRule,
    toBody: (values) => bodyOf(values, rule),
    submit: (values) =>
      rule
        ? api('PUT /api/support/rules/{id}', {
            params: { id: rule.id },
            body: bodyOf(values, rule),
          })
        : api('POST /api/support/rules', { body: bodyOf(values) }),
    refreshes: ['GET /api/support/rules'],
    done: () => {
      toastDone(t.saved)
      onClose()
    },
  })
  const { all, any, actions, on, stop } = form.values
  const rows = { choicesOf, count: all.length + any.length }
  const missing = missingOf(form.values)
  return (
    <Dialog
      title={rule ? t.editRule({ name: rule.name }) : t.newRule}
      opened
      wide
      onClose={onClose}
    >
      <Form form={form} submitText={t.saveRule} command long disabledBecause={missing}>
        <TextField
          label={t.name}
          width="fill"
          autoComplete="off"
          autoFocus
          {...form.field('name')}
        />
        <SelectField
          label={t.on}
          choices={eventChoices()}
          value={on}
          onChange={(next) => {
            const chosen = eventChoices().find(({ value }) => value === next)
            if (chosen) form.set('on', chosen.value)
          }}
        />
        {on === 'idle' ? (
          <NumberField label={t.idleFor} {...form.field('idleHours', 'idleMinutes')} />
        ) : null}
        <ConditionRows
          {...rows}
          any={false}
          value={all}
          onChange={(next) => form.set('all', next)}
        />
        <ConditionRows {...rows} any value={any} onChange={(next) => form.set('any', next)} />
        <ActionRows
          choicesOf={choicesOf}
          value={actions}
          onChange={(next) => form.set('actions', next)}
        />
        <Tick label={t.stop} checked={stop} onChange={(next) => form.set('stop', next)} />
        <SwitchField label={t.enabled} {...form.field('enabled')} />
        <TryRule
          draft={form.values}
          choicesOf={choicesOf}
          bodyOf={() => bodyOf(form.values, rule)}
          missing={missing}
        />
      </Form>
    </Dialog>
  )
}
