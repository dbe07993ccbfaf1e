import { TICKET_PRIORITIES, type TicketPriority } from '@lodge/shared/support/ticket-words.ts'
import { type Goals, NO_GOALS, type Tier, WriteTier } from '@lodge/shared/support/tiers.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../api.ts'
import { q } from '../../../query.ts'
import { useMay } from '../../../session/session.ts'
import { ManyField } from '../../../ui/choices/many-field.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { Dialog } from '../../../ui/dialogs/dialog.tsx'
import { NumberField } from '../../../ui/fields/measure-fields.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { rebased, rebasedList } from '../../../ui/form/changes.ts'
import { FieldGrid } from '../../../ui/form/fields.tsx'
import { Form, useForm } from '../../../ui/form/form.tsx'
import { toastDone } from '../../../ui/notices/toast.tsx'
import { Text } from '../../../ui/page/layout.tsx'
import { t as parts } from '../parts/words.ts'
import { newId } from './new-id.ts'
import { t } from './words.ts'

interface Values extends Omit<WriteTier, 'planIds' | 'position'> {
  planIds: readonly string[]
  position: number | undefined
}

const NOTHING: WriteTier['goals'] = {
  ...{ low: NO_GOALS, normal: NO_GOALS, high: NO_GOALS, urgent: NO_GOALS },
}

const valuesOf = (tier: Tier | undefined): Values => ({
  ...{ name: tier?.name ?? '', isDefault: tier?.isDefault ?? false },
  ...{ position: tier?.position ?? 0, calendar: tier?.calendar ?? 'business' },
  ...{ planIds: tier?.planIds ?? [], goals: tier?.goals ?? NOTHING },
})

/** The newest values, with the changes made here to single fields, plans and goals. */
const merged = (values: Values, known: Values, newest: Values): Values => ({
  ...rebased(values, known, newest),
  planIds: rebasedList(values.planIds, known.planIds, newest.planIds),
  goals: {
    low: rebased(values.goals.low, known.goals.low, newest.goals.low),
    normal: rebased(values.goals.normal, known.goals.normal, newest.goals.normal),
    high: rebased(values.goals.high, known.goals.high, newest.goals.high),
    urgent: rebased(values.goals.urgent, known.goals.urgent, newest.goals.urgent),
  },
})

const bodyOf = ({ planIds, position, ...rest }: Values): WriteTier => ({
  ...rest,
  planIds: [...planIds],
  position: position ?? 0,
})

interface TierDialogProps {
  /** Undefined for a new one. */
  tier: Tier | undefined
  onClose: () => void
}

/** The goals of a tier, and its plans. */
export function TierDialog({ tier, onClose }: TierDialogProps) {
  const [id] = useState(() => tier?.id ?? newId())
  const plans = useQuery({ ...q('GET /api/plans'), enabled: useMay()('plans.view') })
  const known = valuesOf(tier)
  const form = useForm<Values, unknown>({
    initial: known,
    schema: WriteTier,
    toBody: bodyOf,
    submit: async (values) => {
      // All of it is sent: what a colleague saved meanwhile goes with it.
      const { items } = await api('GET /api/support/tiers')
      const newest = items.find((one) => one.id === id)
      const body = bodyOf(newest ? merged(values, known, valuesOf(newest)) : values)
      return api('PUT /api/support/tiers/{id}', { params: { id }, body })
    },
    // An error names one plan of the list.
    nameOf: (pointer) => pointer.replace(/^planIds\/\d+$/, 'planIds'),
    refreshes: ['GET /api/support/tiers'],
    done: () => {
      toastDone(t.tierSaved)
      onClose()
    },
  })
  const { goals, calendar } = form.values
  const goal = (priority: TicketPriority, name: keyof Goals, label: string) => (
    <NumberField
      key={`${priority} ${name}`}
      label={label}
      width="fill"
      placeholder={t.none}
      value={goals[priority][name] ?? undefined}
      error={form.errors[`goals/${priority}/${name}`]}
      onChange={(next) =>
        form.set(
          'goals',
          { ...goals, [priority]: { ...goals[priority], [name]: next ?? null } },
          `goals/${priority}/${name}`,
        )
      }
    />
  )
  return (
    <Dialog
      title={tier ? t.editTier({ name: tier.name }) : t.newTier}
      opened
      wide
      onClose={onClose}
    >
      <Form form={form} submitText={t.saveTier} command long>
        <TextField
          label={t.tierName}
          width="fill"
          autoComplete="off"
          autoFocus
          {...form.field('name')}
        />
        <FieldGrid>
          <SelectField
            label={t.calendar}
            width="fill"
            choices={(['business', 'always'] as const).map((value) => ({
              value,
              label: t.calendarOf({ calendar: value }),
            }))}
            value={calendar}
            onChange={(next) => form.set('calendar', next === 'always' ? 'always' : 'business')}
          />
          <NumberField
            label={t.position}
            description={t.positionHelp}
            {...form.field('position')}
          />
        </FieldGrid>
        <ManyField
          label={t.plans}
          description={t.plansHelp}
          width="fill"
          choices={(plans.data?.items ?? []).map((plan) => ({ value: plan.id, label: plan.name }))}
          {...form.field('planIds')}
        />
        <SwitchField label={t.isDefault} {...form.field('isDefault')} />
        <Text muted>{t.goalsHelp}</Text>
        <FieldGrid least={200}>
          {TICKET_PRIORITIES.toReversed().flatMap((one) => {
            const priority = parts.priority({ priority: one })
            return [
              goal(one, 'firstResponseMin', t.firstMin({ priority })),
              goal(one, 'nextResponseMin', t.nextMin({ priority })),
              goal(one, 'resolutionMin', t.solveMin({ priority })),
            ]
          })}
        </FieldGrid>
      </Form>
    </Dialog>
  )
}
