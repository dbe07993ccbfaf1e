import {
  RULE_ACTIONS,
  type Rule,
  type RuleAction,
  type RuleCondition,
  type WriteRule,
} from '@lodge/shared/support/rules/rule.ts'

/**
 * A condition in the form; values that its operator does not need are kept in case it changes back.
 */
export interface ConditionDraft {
  readonly key: string
  readonly field: RuleCondition['field']
  readonly op: RuleCondition['op']
  readonly text: string
  readonly many: readonly string[]
}

/** An action in the form. */
export interface ActionDraft {
  readonly key: string
  readonly type: RuleAction['type']
  readonly text: string
  readonly many: readonly string[]
  readonly amount: number | undefined
  /** For an assignment. */
  readonly to: Extract<RuleAction, { type: 'assign' }>['to']
}

/** A rule in the form. */
export interface RuleDraft {
  name: string
  enabled: boolean
  on: WriteRule['on']
  idleHours: number | undefined
  all: readonly ConditionDraft[]
  any: readonly ConditionDraft[]
  actions: readonly ActionDraft[]
  stop: boolean
}

type Op = RuleCondition['op']
const CHOSEN: readonly Op[] = ['eq', 'neq', 'in', 'nin', 'isSet', 'isUnset']
const MOVED: readonly Op[] = [...CHOSEN, 'changedFrom', 'changedTo']
const TEXT: readonly Op[] = ['contains', 'notContains', 'eq', 'neq', 'startsWith', 'endsWith']
const NUMBER: readonly Op[] = ['gt', 'gte', 'lt', 'lte', 'eq', 'neq']

/** The operators of each field; the first is the default. */
export const OPS: Readonly<Record<RuleCondition['field'], readonly Op[]>> = {
  ...{ subject: TEXT, body: TEXT, requesterEmail: TEXT, requesterEmailDomain: TEXT },
  tags: ['contains', 'notContains', 'isSet', 'isUnset'],
  ...{ status: MOVED, priority: MOVED, categoryId: CHOSEN, groupId: MOVED, assigneeId: MOVED },
  ...{ tierId: CHOSEN, planId: CHOSEN, serverId: CHOSEN, templateId: CHOSEN, source: CHOSEN },
  ...{ ageMinutes: NUMBER, idleMinutes: NUMBER, rating: [...NUMBER, 'isSet', 'isUnset'] },
  ...{ withinHours: ['eq'], isFollowUp: ['eq'] },
}
export const FIELDS = Object.keys(OPS) as RuleCondition['field'][]
export const ACTIONS = RULE_ACTIONS

/** Boolean fields. */
export const isYesNo = (field: RuleCondition['field']): boolean =>
  field === 'withinHours' || field === 'isFollowUp'
export const isNumber = (field: RuleCondition['field']): boolean => OPS[field].includes('gt')
export const asksMany = (op: Op): boolean => op === 'in' || op === 'nin'
export const asksNothing = (op: Op): boolean => op === 'isSet' || op === 'isUnset'

let last = 0
const newKey = (): string => {
  last += 1
  return `new-${last}`
}

/** A new condition on a field. */
export const newCondition = (field: RuleCondition['field']): ConditionDraft => ({
  ...{ key: newKey(), field, op: OPS[field][0] ?? 'eq', many: [] },
  text: isYesNo(field) ? 'true' : '',
})

/** A new action of a kind. */
export const newAction = (type: RuleAction['type']): ActionDraft => ({
  ...{ key: newKey(), type, text: '', many: [], to: 'round_robin' },
  amount: type === 'snooze' ? 60 : undefined,
})

function draftOf(condition: RuleCondition): ConditionDraft {
  const value = 'value' in condition ? condition.value : ''
  return {
    ...{ key: newKey(), field: condition.field, op: condition.op },
    text: Array.isArray(value) ? '' : String(value ?? ''),
    many: Array.isArray(value) ? value : [],
  }
}

function actionDraftOf(action: RuleAction): ActionDraft {
  const { type: _, ...rest } = action
  const [text] = Object.entries(rest).flatMap(([name, value]) =>
    name !== 'to' && typeof value === 'string' ? [value] : [],
  )
  return {
    ...newAction(action.type),
    text: text ?? '',
    ...('tags' in action && { many: action.tags }),
    ...('minutes' in action && { amount: action.minutes }),
    ...('to' in action && { to: action.to }),
  }
}

/** The initial form of a rule; a new one if there is none. */
export const ruleDraft = (rule: Rule | undefined): RuleDraft => ({
  ...{ name: rule?.name ?? '', enabled: rule?.enabled ?? true, on: rule?.on ?? 'ticket.created' },
  idleHours: rule?.idleMinutes == null ? undefined : Math.max(1, Math.round(rule.idleMinutes / 60)),
  all: rule?.when.all.map(draftOf) ?? [],
  any: rule?.when.any.map(draftOf) ?? [],
  actions: rule?.actions.map(actionDraftOf) ?? [newAction('add_tags')],
  stop: rule?.stop ?? false,
})

function conditionOf({ field, op, text, many }: ConditionDraft): RuleCondition {
  if (asksNothing(op)) return { field, op } as RuleCondition
  if (asksMany(op)) return { field, op, value: [...many] } as RuleCondition
  if (isYesNo(field)) return { field, op, value: text === 'true' } as RuleCondition
  if (isNumber(field)) return { field, op, value: Number(text) } as RuleCondition
  const isMove = op === 'changedFrom' || op === 'changedTo'
  return { field, op, value: isMove && text === '' ? null : text.trim() } as RuleCondition
}

const DETAIL = {
  ...{ set_status: 'status', set_priority: 'priority', set_category: 'categoryId' },
  ...{ set_group: 'groupId', set_tier: 'tierId', notify_group: 'groupId' },
  ...{ notify_agent: 'agentId', reply: 'text', note: 'text', send_webhook: 'channelId' },
} as const satisfies Partial<Record<RuleAction['type'], string>>

function actionOf({ type, text, many, amount, to }: ActionDraft): RuleAction {
  if (type === 'assign') return { type, to, ...(to === 'agent' && { agentId: text }) }
  if (type === 'add_tags' || type === 'remove_tags') return { type, tags: [...many] }
  if (type === 'snooze') return { type, minutes: amount ?? 0 }
  return { type, [DETAIL[type]]: text.trim() } as unknown as RuleAction
}

/**
 * The body that the form sends.
 * @param before the rule as it was: a time that is not in whole hours stays, unless it was changed
 */
export function bodyOf(draft: RuleDraft, before?: Rule): WriteRule {
  const { name, enabled, on, idleHours, all, any, actions, stop } = draft
  const isAsBefore = before !== undefined && idleHours === ruleDraft(before).idleHours
  const idleMinutes = isAsBefore ? before.idleMinutes : (idleHours ?? 0) * 60
  return {
    ...{ name: name.trim(), enabled, on, idleMinutes: on === 'idle' ? idleMinutes : null, stop },
    when: { all: all.map(conditionOf), any: any.map(conditionOf) },
    actions: actions.map(actionOf),
  }
}

/** Whether a condition is complete. */
export function isWhole({ field, op, text, many }: ConditionDraft): boolean {
  if (asksNothing(op)) return true
  if (asksMany(op)) return many.length > 0
  if (isNumber(field)) return text.trim() !== '' && Number(text) >= 0
  const mayBeNobody = field === 'groupId' || field === 'assigneeId'
  return text.trim() !== '' || (mayBeNobody && (op === 'changedFrom' || op === 'changedTo'))
}

/** Whether an action is complete. */
export function doesSomething({ type, text, many, amount, to }: ActionDraft): boolean {
  if (type === 'assign') return to !== 'agent' || text !== ''
  if (type === 'add_tags' || type === 'remove_tags') return many.length > 0
  if (type === 'snooze') return amount !== undefined && amount >= 5
  return text.trim() !== ''
}
