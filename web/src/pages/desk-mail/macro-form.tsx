import type { MacroAction } from '@lodge/shared/support/macros.ts'
import { api, type Reply } from '../../api.ts'
import { useMay } from '../../session/session.ts'
import { Choices } from '../../ui/choices/choices.tsx'
import { SelectField } from '../../ui/choices/select-field.tsx'
import { TagsField } from '../../ui/choices/tags-field.tsx'
import { Tick } from '../../ui/choices/tick.tsx'
import { AreaField } from '../../ui/fields/area-field.tsx'
import { TextField } from '../../ui/fields/text-field.tsx'
import { Form, useForm } from '../../ui/form/form.tsx'
import { toastDone } from '../../ui/notices/toast.tsx'
import { AS_IT_IS, type Macro, priorityChoices, statusChoices } from './macro-words.ts'
import { t } from './words.ts'

interface Values {
  name: string
  scope: Macro['scope']
  reply: string
  status: string
  priority: string
  tags: readonly string[]
  takes: boolean
}
type Of<T extends MacroAction['type']> = Extract<MacroAction, { type: T }>

const actionOf = <T extends MacroAction['type']>(macro: Macro | undefined, type: T) =>
  macro?.actions.find((one): one is Of<T> => one.type === type)

/** Placeholders that are filled in when a macro is applied. */
const BRACES = {
  customer: '{customer}',
  agent: '{agent}',
  number: '{number}',
  subject: '{subject}',
}

/** Actions without a field in the form are kept unchanged. */
const OTHERS = new Set<MacroAction['type']>(['note', 'set_group', 'set_category', 'remove_tags'])

function actionsOf(values: Values, macro: Macro | undefined): MacroAction[] {
  const { reply, status, priority, tags, takes } = values
  const isFreed = actionOf(macro, 'assign')?.to === 'nobody'
  return [
    ...(reply.trim() === '' ? [] : [{ type: 'reply' as const, text: reply.trim() }]),
    ...(status === AS_IT_IS ? [] : [{ type: 'set_status', status } as Of<'set_status'>]),
    ...(priority === AS_IT_IS ? [] : [{ type: 'set_priority', priority } as Of<'set_priority'>]),
    ...(tags.length === 0 ? [] : [{ type: 'add_tags' as const, tags: [...tags] }]),
    ...(takes ? [{ type: 'assign' as const, to: 'me' as const }] : []),
    ...(isFreed && !takes ? [{ type: 'assign' as const, to: 'nobody' as const }] : []),
    ...(macro?.actions.filter(({ type }) => OTHERS.has(type)) ?? []),
  ]
}

/** Creates or changes a macro. */
export function MacroForm({ macro, onDone }: { macro: Macro | undefined; onDone: () => void }) {
  const forOthers = useMay()('support.settings')
  const form = useForm<Values, Reply<'POST /api/support/macros'>>({
    initial: {
      name: macro?.name ?? '',
      scope: macro?.scope ?? (forOthers ? 'all' : 'personal'),
      reply: actionOf(macro, 'reply')?.text ?? '',
      status: actionOf(macro, 'set_status')?.status ?? AS_IT_IS,
      priority: actionOf(macro, 'set_priority')?.priority ?? AS_IT_IS,
      tags: actionOf(macro, 'add_tags')?.tags ?? [],
      takes: actionOf(macro, 'assign')?.to === 'me',
    },
    submit: (values) =>
      api('POST /api/support/macros', {
        body: {
          ...(macro && { id: macro.id }),
          name: values.name,
          scope: values.scope,
          groupId: values.scope === 'group' ? (macro?.groupId ?? null) : null,
          actions: actionsOf(values, macro),
        },
      }),
    refreshes: ['GET /api/support/macros'],
    done: () => {
      toastDone(t.macroSaved)
      onDone()
    },
  })
  const { values } = form
  const blocked =
    values.name.trim() === ''
      ? t.nameMissing
      : actionsOf(values, macro).length === 0
        ? t.nothingToDo
        : undefined
  const scopes = [
    { value: 'all', label: t.forAll, description: t.forAllHelp } as const,
    ...(macro?.scope === 'group'
      ? [{ value: 'group', label: t.forGroup, description: t.forGroupHelp } as const]
      : []),
    { value: 'personal', label: t.forMe, description: t.forMeHelp } as const,
  ]
  return (
    <Form form={form} command submitText={t.saveMacro} disabledBecause={blocked}>
      <TextField label={t.name} autoComplete="off" {...form.field('name')} />
      {forOthers ? <Choices label={t.forWhom} choices={scopes} {...form.field('scope')} /> : null}
      <AreaField label={t.reply} description={t.replyHelp(BRACES)} {...form.field('reply')} />
      <SelectField label={t.status} choices={statusChoices()} {...form.field('status')} />
      <SelectField label={t.priority} choices={priorityChoices()} {...form.field('priority')} />
      <TagsField label={t.tags} suggestions={[]} most={10} {...form.field('tags')} />
      <Tick label={t.takes} checked={values.takes} onChange={(takes) => form.set('takes', takes)} />
    </Form>
  )
}
