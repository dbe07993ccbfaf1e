import { type Agent, type Group, WriteGroup } from '@lodge/shared/support/desk.ts'
import { GROUP_ASSIGNMENTS } from '@lodge/shared/support/ticket-words.ts'
import { api } from '../../../api.ts'
import { ManyField } from '../../../ui/choices/many-field.tsx'
import { SelectField } from '../../../ui/choices/select-field.tsx'
import { SwitchField } from '../../../ui/choices/switch-field.tsx'
import { useForm } from '../../../ui/form/form.tsx'
import { ArrangedDialog, onceArranged } from './arranged-dialog.tsx'
import { t } from './words.ts'

interface Values {
  name: string
  memberIds: readonly string[]
  assignment: (typeof GROUP_ASSIGNMENTS)[number]
  active: boolean
}

interface GroupDialogProps {
  /** Undefined for a new one. */
  group: Group | undefined
  agents: readonly Agent[]
  onClose: () => void
}

/** A group: its members, and how new tickets are assigned. */
export function GroupDialog({ group, agents, onClose }: GroupDialogProps) {
  const bodyOf = ({ memberIds, ...rest }: Values) => ({ ...rest, memberIds: [...memberIds] })
  const form = useForm<Values, unknown>({
    initial: {
      name: group?.name ?? '',
      memberIds: group?.memberIds ?? [],
      assignment: group?.assignment ?? 'manual',
      active: group?.active ?? true,
    },
    schema: WriteGroup,
    toBody: bodyOf,
    submit: (values) =>
      group
        ? api('PUT /api/support/groups/{id}', { params: { id: group.id }, body: bodyOf(values) })
        : api('POST /api/support/groups', { body: bodyOf(values) }),
    ...onceArranged(t.groupSaved, onClose),
  })
  return (
    <ArrangedDialog
      title={group ? t.editGroup({ name: group.name }) : t.newGroup}
      form={form}
      name={form.field('name')}
      submitText={t.saveGroup}
      onClose={onClose}
    >
      <ManyField
        label={t.members}
        width="fill"
        choices={agents.map(({ id, name, email }) => ({ value: id, label: name ?? email }))}
        {...form.field('memberIds')}
      />
      <SelectField
        label={t.assignment}
        choices={GROUP_ASSIGNMENTS.map((value) => ({
          value,
          label: t.assignmentOf({ assignment: value }),
        }))}
        {...form.field('assignment')}
      />
      <SwitchField label={t.active} {...form.field('active')} />
    </ArrangedDialog>
  )
}
