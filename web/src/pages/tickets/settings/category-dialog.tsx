import {
  type Category,
  type CategoryField,
  type Group,
  WriteCategory,
} from '@lodge/shared/support/desk.ts'
import { TICKET_PRIORITIES, type TicketPriority } from '@lodge/shared/support/ticket-words.ts'
import { api } from '../../../api.ts'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { TextField } from '../../../ui/fields/text-field.tsx'
import { useForm } from '../../../ui/form/form.tsx'
import { t as parts } from '../parts/words.ts'
import { ArrangedDialog, onceArranged } from './arranged-dialog.tsx'
import { AskedFields } from './asked-fields.tsx'
import { t } from './words.ts'

const NONE = 'none'

interface CategoryDialogProps {
  /** Undefined for a new one. */
  category: Category | undefined
  groups: readonly Group[]
  onClose: () => void
}

interface Values {
  name: string
  description: string
  groupId: string
  defaultPriority: TicketPriority
  requiresServer: boolean
  active: boolean
  fields: readonly CategoryField[]
}

const valuesOf = (category: Category | undefined): Values => ({
  name: category?.name ?? '',
  description: category?.description ?? '',
  groupId: category?.groupId ?? NONE,
  defaultPriority: category?.defaultPriority ?? 'normal',
  requiresServer: category?.requiresServer ?? false,
  active: category?.active ?? true,
  fields: category?.fields ?? [],
})

/** A category: who answers, and its additional fields. */
export function CategoryDialog({ category, groups, onClose }: CategoryDialogProps) {
  const bodyOf = ({ groupId, fields, ...rest }: Values) => ({
    ...rest,
    groupId: groupId === NONE ? null : groupId,
    fields: [...fields],
    position: category?.position ?? 0,
  })
  const form = useForm<Values, unknown>({
    initial: valuesOf(category),
    schema: WriteCategory,
    toBody: bodyOf,
    submit: (values) =>
      category
        ? api('PUT /api/support/categories/{id}', {
            params: { id: category.id },
            body: bodyOf(values),
          })
        : api('POST /api/support/categories', { body: bodyOf(values) }),
    ...onceArranged(t.categorySaved, onClose),
  })
  return (
    <ArrangedDialog
      title={category ? t.editCategory({ name: category.name }) : t.newCategory}
      form={form}
      name={form.field('name')}
      submitText={t.saveCategory}
      wide
      onClose={onClose}
    >
      <TextField
        label={t.description}
        description={t.descriptionHelp}
        width="fill"
        autoComplete="off"
        {...form.field('description')}
      />
      <SelectField
        label={t.group}
        choices={[
          { value: NONE, label: t.noGroup },
          ...groups.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        {...form.field('groupId')}
      />
      <SelectField
        label={t.priority}
        choices={TICKET_PRIORITIES.map((value) => ({
          value,
          label: parts.priority({ priority: value }),
        }))}
        {...form.field('defaultPriority')}
      />
      <SwitchField label={t.requiresServer} {...form.field('requiresServer')} />
      <SwitchField label={t.active} {...form.field('active')} />
      <AskedFields
        value={form.values.fields}
        errors={form.errors}
        onChange={(fields) => form.set('fields', fields)}
      />
    </ArrangedDialog>
  )
}
