import type { RuleCondition } from '@lodge/shared/support/rules/rule.ts'
import {
  TICKET_CHANNELS,
  TICKET_PRIORITIES,
  TICKET_STATUSES,
} from '@lodge/shared/support/ticket-words.ts'
import { useQuery } from '@tanstack/react-query'
import { q, qAll } from '../../../query.ts'
import { useMay } from '../../../session/session.ts'
import type { Choice } from '../../../ui/fields/field-props.ts'
import { t as parts } from '../parts/words.ts'
import { t } from './words.ts'

/** The choices for a field; undefined for free text. */
export type FieldChoices = (field: RuleCondition['field']) => readonly Choice[] | undefined

const named = (items: readonly { id: string; name: string }[] | undefined): readonly Choice[] =>
  (items ?? []).map(({ id, name }) => ({ value: id, label: name }))

/** The choices for the fields of conditions and actions. */
export function useFieldChoices(): FieldChoices {
  const may = useMay()
  const mayPlans = may('plans.view')
  const { data: desk } = useQuery(q('GET /api/support/settings'))
  const { data: tiers } = useQuery(q('GET /api/support/tiers'))
  const { data: plans } = useQuery({ ...q('GET /api/plans'), enabled: mayPlans })
  const { data: templates } = useQuery({
    ...qAll('GET /api/templates'),
    enabled: may('templates.view'),
  })
  const all: Partial<Record<RuleCondition['field'], readonly Choice[]>> = {
    status: TICKET_STATUSES.map((status) => ({ value: status, label: parts.status({ status }) })),
    priority: TICKET_PRIORITIES.map((priority) => ({
      value: priority,
      label: parts.priority({ priority }),
    })),
    source: TICKET_CHANNELS.map((source) => ({ value: source, label: t.source({ source }) })),
    categoryId: named(desk?.categories),
    groupId: named(desk?.groups),
    assigneeId: (desk?.agents ?? []).map(({ id, name, email }) => ({
      value: id,
      label: name ?? email,
    })),
    tierId: named(tiers?.items),
    ...(mayPlans && { planId: named(plans?.items) }),
    templateId: named(templates?.items),
    ...{ withinHours: YES_NO(), isFollowUp: YES_NO() },
  }
  return (field) => all[field]
}

const YES_NO = (): readonly Choice[] => [
  { value: 'true', label: t.yes },
  { value: 'false', label: t.no },
]
